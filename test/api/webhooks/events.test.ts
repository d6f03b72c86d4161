import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import OpenAI6 from 'openai-6';
import { call, createVideo, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const service = await openSharedService();

type Received = { readonly headers: Headers; readonly body: string };

/** A receiver that answers with the status in its path; 0 is none. */
const received: Received[] = [];
const receiver = await startServer(async (request, response) => {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  received.push({ headers: new Headers(headers), body: await text(request) });
  const status = Number(request.url?.slice(1));
  if (status === 0) response.destroy();
  else response.writeHead(status).end();
});
after(receiver.close);

const newEndpoint = async (status: number) => {
  const apiKey = await service.issueKey(`events-${randomUUID()}`);
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey });
  const url = `${receiver.url}/${status}`;
  const { id, signing_secret } = await client.webhooks.create({
    name: 'Hook',
    url,
    event_types: ['video.completed'],
  });
  const deliveries = `/v1/webhook_endpoints/${id}/deliveries`;
  return { access: { ...service, apiKey }, client, id, deliveries, secret: signing_secret };
};

test('an event is delivered, and sent again with the same webhook-id when its owner asks', async () => {
  const { access, client, id, deliveries, secret } = await newEndpoint(204);
  const firstDelivery = async () => Object((await call(access, 'GET', `${deliveries}?limit=1`)).body.data)[0];
  const taskId = await createVideo(access, 'a quiet harbour');
  await until(async () => (await firstDelivery())?.status === 'delivered');
  const delivery = await firstDelivery();
  const kept = { keep_old_secret_active_for_24_hours: true };
  const { signing_secret: rotated } = await client.webhooks.rotateSecret(id, kept);
  const resent = await call(access, 'POST', `${deliveries}/${delivery.id}/resend`);
  assert.deepEqual(
    [resent.status, resent.body.id, resent.body.status, resent.body.attempts],
    [200, delivery.id, 'pending', 1],
  );
  await until(
    async () => (await firstDelivery()).attempts === 2 && (await firstDelivery()).status === 'delivered',
  );
  const [first = assert.fail(), second = assert.fail()] = received.filter(({ body }) =>
    body.includes(taskId),
  );
  for (const { headers } of [first, second]) assert.equal(headers.get('webhook-id'), delivery.event.id);
  for (const Client of [OpenAI, OpenAI6]) {
    const { webhooks } = new Client({ apiKey: 'unused' });
    const unwrap = ({ body, headers }: Received, key: string) => webhooks.unwrap(body, headers, key);
    assert.deepEqual(await unwrap(first, secret), delivery.event);
    await assert.rejects(unwrap(first, rotated));
    // Both secrets are good for a day after the rotation.
    for (const key of [secret, rotated]) assert.deepEqual(await unwrap(second, key), delivery.event);
  }
  const unknown = await call(access, 'POST', `${deliveries}/wd_${'0'.repeat(26)}/resend`);
  assert.deepEqual([unknown.status, readError(unknown).param], [404, 'delivery_id']);
});

test('a sample event arrives, signed, and its answer is told whatever it is', async () => {
  const { client, id, secret } = await newEndpoint(410);
  assert.deepEqual(await client.webhooks.test(id, { event_type: 'video.failed' }), {
    object: 'webhook_endpoint.test',
    event_type: 'video.failed',
    status_code: 410,
    success: true,
    webhook_endpoint_id: id,
  });
  const { body, headers } = received.at(-1) ?? assert.fail();
  const event = await client.webhooks.unwrap(body, headers, secret);
  assert.deepEqual(
    [event.type, Object.keys(event)],
    ['video.failed', ['id', 'object', 'type', 'created_at', 'data']],
  );
});

test('no answer is an error with the reason, which the SDK does not attempt again', async () => {
  const { client, id } = await newEndpoint(0);
  const before = received.length;
  await assert.rejects(client.webhooks.test(id, { event_type: 'video.completed' }), (error) => {
    assert.ok(error instanceof APIError);
    assert.deepEqual(
      [error.status, error.code, error.headers?.get('x-should-retry')],
      [400, 'webhook_unreachable', 'false'],
    );
    assert.match(error.message, /did not answer\. The connection was closed without an answer\.$/);
    return true;
  });
  assert.equal(received.length, before + 1);
});
