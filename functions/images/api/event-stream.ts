import { setTimeout as sleep } from 'node:timers/promises';

/** Server-sent events. */
export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

export const namedEvent = (name: string, data: unknown): string => `event: ${name}\n${dataEvent(data)}`;

/** A line that clients skip; it shows everybody on the way that the connection is in use. */
export const HEARTBEAT = ': working\n\n';
export const HEARTBEAT_MILLISECONDS = 5000;

export async function* heartbeatsUntil(outcome: Promise<unknown>, interval: number): AsyncGenerator<string> {
  const settled = new AbortController();
  const stop = () => settled.abort();
  outcome.then(stop, stop);
  while (!settled.signal.aborted) {
    const beat = await sleep(interval, true, { signal: settled.signal }).catch(() => false);
    if (beat) yield HEARTBEAT;
  }
}
