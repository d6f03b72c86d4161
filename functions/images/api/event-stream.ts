import { setTimeout as sleep } from 'node:timers/promises';

/** Server-sent events. */
export const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

export const namedEvent = (name: string, data: unknown): string => `event: ${name}\n${dataEvent(data)}`;

/** A comment, which clients ignore; it keeps proxies from closing the connection as idle. */
export const HEARTBEAT = ': working\n\n';
export const HEARTBEAT_MILLISECONDS = 5000;

export async function* heartbeatsUntil(outcome: Promise<unknown>, interval: number): AsyncGenerator<string> {
  const settled = new AbortController();
  const stop = () => settled.abort();
  outcome.then(stop, stop);
  while (!settled.signal.aborted) {
    const isDue = await sleep(interval, true, { signal: settled.signal }).catch(() => false);
    if (isDue) yield HEARTBEAT;
  }
}
