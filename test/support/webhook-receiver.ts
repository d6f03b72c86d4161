import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { call, readId, type ServiceAccess } from './http.ts';
import { startServer } from './server.ts';

export type Received = {
  readonly at: number;
  readonly body: string;
  readonly headers: Record<string, string>;
};

export const readWebhookId = ({ headers }: Received): string => headers['webhook-id'] ?? '';

type Answer = (received: Received) => number | undefined;

/** Takes webhooks on this machine, and answers with what it is told to; never, where that is nothing. */
export const listenForWebhooks = async (answer: Answer) => {
  const received: Received[] = [];
  const { url, close } = await startServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const one = { at: Date.now(), body: await text(request), headers };
    received.push(one);
    const status = answer(one);
    if (status !== undefined) response.writeHead(status).end();
  });
  return { url, received, close };
};

/** The same for the length of a test file. */
export const startReceiver = async (answer: Answer) => {
  const { close, ...receiver } = await listenForWebhooks(answer);
  after(close);
  return receiver;
};

/** An endpoint that is told of all events of the account’s videos, unless other types are given. */
export const addEndpoint = async (
  access: ServiceAccess,
  url: string,
  eventTypes: readonly string[] = ['video.completed', 'video.failed'],
): Promise<{ id: string; secret: string; path: string }> => {
  const answer = await call(access, 'POST', '/v1/webhook_endpoints', {
    json: { name: 'Receiver', url, event_types: eventTypes },
  });
  const id = readId(answer);
  return { id, secret: String(answer.body.signing_secret), path: `/v1/webhook_endpoints/${id}` };
};
