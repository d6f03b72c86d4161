import type { VirtualClock } from '../support/virtual-clock.ts';
import { drawLatency, type LatencyName } from './latencies.ts';

export type Call = <T>(latency: LatencyName, apply: () => T) => Promise<T>;

/** Calls that take their time, take effect at its end, and are counted by what they cost. */
export const simulatedCalls =
  (clock: VirtualClock, random: () => number, counts: Map<LatencyName, number>): Call =>
  (latency, apply) =>
    new Promise((resolve, reject) => {
      counts.set(latency, (counts.get(latency) ?? 0) + 1);
      clock.after(drawLatency(latency, random), () => {
        try {
          resolve(apply());
        } catch (error) {
          reject(error);
        }
      });
    });
