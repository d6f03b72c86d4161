import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { call, idOf, type ServiceAccess } from './http.ts';
import { startServer } from './server.ts';

export type Received = {
  readonly at: number;
  readonly body: string;
  readonly headers: Record<string, string>;
};

export const webhookIdOf = ({ headers }: Received): string => headers['webhook-id'] ?? '';

/** Takes webhooks on this machine, and answers with what it is told to; never, where that is nothing. */
export const startReceiver = async (answer: (received: Received) => number | undefined) => {
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
  after(close);
  return { url, received };
};

/** An endpoint that is told of all events of the account. */
export const addEndpoint = async (
  access: ServiceAccess,
  url: string,
): Promise<{ id: string; secret: string; path: string }> => {
  const answer = await call(access, 'POST', '/v1/webhook_endpoints', {
    json: { name: 'Receiver', url, event_types: ['video.completed', 'video.failed'] },
  });
  const id = idOf(answer);
  return { id, secret: String(answer.body.signing_secret), path: `/v1/webhook_endpoints/${id}` };
};
