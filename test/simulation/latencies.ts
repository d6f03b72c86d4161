import type { VirtualClock } from '../support/virtual-clock.ts';

/** How long a call takes in milliseconds: as a rule, and the slowest of a hundred. */
type Latency = { readonly typical: number; readonly slow: number; readonly source: string };

/**
 * The simulation's assumptions about AWS and the upstream. The source states the typical time; the slow one is
 * assumed, except for `sqsToLambda`.
 */
export const LATENCIES = {
  dynamoRead: { typical: 4, slow: 15, source: 'AWS knowledge centre: single-digit milliseconds on average' },
  dynamoWrite: { typical: 6, slow: 25, source: 'AWS knowledge centre: single-digit milliseconds on average' },
  dynamoQuery: { typical: 8, slow: 40, source: 'assumed' },
  sqsSend: { typical: 12, slow: 60, source: 'assumed' },
  sqsSendBatch: { typical: 20, slow: 90, source: 'assumed' },
  /** From a visible message to the start of its invocation, where a worker is free. */
  sqsToLambda: {
    typical: 16,
    slow: 105,
    source: 'bitesizedserverless.com, measured in 2022: p50 16 ms, p99 105 ms',
  },
  s3Put: { typical: 60, slow: 250, source: 'S3 whitepaper: a median of tens of milliseconds below 512 KB' },
  s3Remove: { typical: 30, slow: 150, source: 'assumed to be as s3Put' },
  /** An environment that is not there yet. */
  coldStart: { typical: 500, slow: 1200, source: 'assumed' },
  /** The handler itself, beside its calls. */
  handler: { typical: 3, slow: 12, source: 'assumed' },
  /** Until the upstream has received a submit and counts it. */
  upstreamArrival: { typical: 60, slow: 300, source: 'assumed' },
  upstreamSubmit: { typical: 800, slow: 4000, source: 'assumed' },
  upstreamCheck: { typical: 150, slow: 900, source: 'assumed' },
  upstreamRefusal: { typical: 60, slow: 300, source: 'assumed' },
  /** Until the first byte of a file. */
  upstreamOpen: { typical: 120, slow: 600, source: 'assumed' },
  /** 10 MB from the upstream to S3. */
  moveVideo: { typical: 900, slow: 3500, source: 'assumed: about 10 MB a second' },
} as const satisfies Record<string, Latency>;

export type LatencyName = keyof typeof LATENCIES;

/** Nine in ten are near the typical time; the rest stretches to the slow one. Whole milliseconds. */
export const drawLatency = (name: LatencyName, random: () => number): number => {
  const { typical, slow } = LATENCIES[name];
  const chance = random();
  const drawn =
    chance < 0.9
      ? typical * (0.7 + (2 * chance) / 3)
      : typical * 1.3 + (slow - typical * 1.3) * (chance - 0.9) * 10;
  return Math.ceil(drawn);
};

/** Limits of AWS that the figures are held against. */
export const LIMITS = {
  /** DynamoDB guide, burst and adaptive capacity: what one partition takes a second. */
  partitionWriteUnits: 1000,
  partitionReadUnits: 3000,
  /** Lambda guide, scaling of SQS event sources: five at once, 300 more a minute. */
  firstWorkers: 5,
  moreWorkersAMinute: 300,
  /** The stack: how long a run of the sweeper may take. */
  sweeperSeconds: 55,
} as const;

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
