import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../../platform/runtime/http.ts';
import type { StreamedResponse } from '../../platform/runtime/stream.ts';
import type { Fields, MessageId, Progress, RpcError } from '../domain/messages.ts';

/** Proxies must not hold events back. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
};

/** A comment, which clients ignore; it keeps proxies from closing the connection as idle. */
const KEEP_ALIVE = ': working\n\n';
const KEEP_ALIVE_MILLISECONDS = 10_000;

export const resultMessage = (id: MessageId, result: Fields): Fields => ({ jsonrpc: '2.0', id, result });

export const errorMessage = (error: RpcError, id: MessageId | undefined): Fields => ({
  jsonrpc: '2.0',
  id: error.details.id ?? id ?? null,
  error: {
    code: error.code,
    message: error.message,
    ...(error.details.data === undefined ? {} : { data: error.details.data }),
  },
});

export const errorResponse = (error: RpcError, id?: MessageId): HttpResponse => ({
  status: error.status,
  headers: error.details.headers ?? {},
  body: errorMessage(error, id),
});

export const acceptsEvents = (accept: string | undefined): boolean =>
  accept?.toLowerCase().includes('text/event-stream') === true;

const toEvent = (message: Fields): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const toNotification = (progressToken: MessageId, progress: Progress): Fields => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, ...progress },
});

/** Keeps the last report only: a client that reads slowly has no use for the others. */
const latestProgress = () => {
  let most = -1;
  let latest: Progress | undefined;
  let reported = Promise.withResolvers<void>();
  return {
    report: (progress: Progress): void => {
      if (progress.progress <= most) return;
      most = progress.progress;
      latest = progress;
      reported.resolve();
    },
    next: (): Promise<void> => reported.promise,
    take: (): Progress | undefined => {
      const taken = latest;
      latest = undefined;
      reported = Promise.withResolvers();
      return taken;
    },
  };
};

export type Answered = { readonly message: Fields; readonly settled?: Promise<unknown> | undefined };

async function* toEvents(
  answer: Promise<Answered>,
  progress: ReturnType<typeof latestProgress>,
  token: MessageId | undefined,
): AsyncGenerator<string> {
  yield KEEP_ALIVE;
  let isOver = false;
  const over = answer.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const stop = new AbortController();
    const isDue = sleep(KEEP_ALIVE_MILLISECONDS, true, { signal: stop.signal }).catch(() => false);
    const late = await Promise.race([over, progress.next(), isDue]);
    stop.abort();
    const latest = progress.take();
    if (latest !== undefined && token !== undefined) yield toEvent(toNotification(token, latest));
    else if (late === true) yield KEEP_ALIVE;
  }
  yield toEvent((await answer).message);
}

/** The whole answer at once, for quick calls and for clients that accept no events. */
export const jsonAnswer = ({ message, settled }: Answered): StreamedResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(message)],
  ...(settled === undefined ? {} : { settled }),
});

/** Sends progress while the answer is made, then the answer. The answer must not reject. */
export const streamAnswer = (
  make: (report: (progress: Progress) => void) => Promise<Answered>,
  token: MessageId | undefined,
): StreamedResponse => {
  const progress = latestProgress();
  const answer = make(progress.report);
  return {
    status: 200,
    headers: STREAM_HEADERS,
    chunks: toEvents(answer, progress, token),
    settled: answer.then(({ settled }) => settled),
  };
};
