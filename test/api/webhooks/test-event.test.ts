import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { call, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';

const service = await openSharedService();

type Seen = { readonly headers: Record<string, string>; readonly body: string };

/** A receiver that answers with the status in its path; 0 is none. */
const seen: Seen[] = [];
const receiver = await startServer(async (request, response) => {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  seen.push({ headers: Object.fromEntries(headers), body: await text(request) });
  const status = Number(request.url?.slice(1));
  if (status === 0) response.destroy();
  else response.writeHead(status, { location: `${receiver.url}/200` }).end();
});
after(receiver.close);

const newKey = (): Promise<string> => service.issueKey(`test-${randomUUID()}`);
const openClient = (apiKey: string) => new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey });

const apiKey = await newKey();
const client = openClient(apiKey);
const newEndpoint = (path: string) =>
  client.webhooks.create({ name: 'Hook', url: `${receiver.url}${path}`, event_types: ['video.completed'] });

/** The events that arrived since, verified by the SDK. */
const unwrapLast = async (secret: string) => {
  const { body, headers } = seen.at(-1) ?? { body: '', headers: {} };
  return client.webhooks.unwrap(body, headers, secret);
};

test('a sample event arrives, signed, and its answer is told whatever it is', async () => {
  for (const status of [200, 204, 302, 410, 500]) {
    const { id, signing_secret: secret } = await newEndpoint(`/${status}`);
    const before = seen.length;
    assert.deepEqual(await client.webhooks.test(id, { event_type: 'video.failed' }), {
      object: 'webhook_endpoint.test',
      event_type: 'video.failed',
      status_code: status,
      success: true,
      webhook_endpoint_id: id,
    });
    assert.equal(seen.length, before + 1);
    const event = await unwrapLast(secret);
    assert.deepEqual(
      [event.type, Object.keys(event)],
      ['video.failed', ['id', 'object', 'type', 'created_at', 'data']],
    );
    await client.webhooks.delete(id);
  }
});

test('each sample is an event of its own, of a task that does not exist', async () => {
  const { id, signing_secret: secret } = await newEndpoint('/200');
  const events = [];
  for (const type of ['video.completed', 'video.completed'] as const) {
    await client.webhooks.test(id, { event_type: type });
    events.push(await unwrapLast(secret));
  }
  const tasks = events.map((event) => ('data' in event && 'id' in event.data ? String(event.data.id) : ''));
  assert.equal(new Set([...events.map((event) => event.id), ...tasks]).size, 4);
  for (const task of tasks) assert.equal((await call(service, 'GET', `/v1/videos/${task}`)).status, 404);
  await client.webhooks.delete(id);
});

test('after a rotation the sample is signed with both secrets, or with the new one alone', async () => {
  const { id, signing_secret: first } = await newEndpoint('/200');
  const kept = { keep_old_secret_active_for_24_hours: true };
  const { signing_secret: second } = await client.webhooks.rotateSecret(id, kept);
  await client.webhooks.test(id, { event_type: 'video.completed' });
  assert.ok(await unwrapLast(first));
  assert.ok(await unwrapLast(second));
  const { signing_secret: third } = await client.webhooks.rotateSecret(id);
  await client.webhooks.test(id, { event_type: 'video.completed' });
  assert.ok(await unwrapLast(third));
  await assert.rejects(unwrapLast(second));
  await client.webhooks.delete(id);
});

test('no answer is an error with the reason, which the SDK does not attempt again', async () => {
  const { id } = await newEndpoint('/0');
  const before = seen.length;
  await assert.rejects(client.webhooks.test(id, { event_type: 'video.completed' }), (error) => {
    assert.ok(error instanceof APIError);
    assert.deepEqual(
      [error.status, error.code, error.headers?.get('x-should-retry')],
      [400, 'webhook_unreachable', 'false'],
    );
    assert.match(error.message, /did not answer\. The connection was closed without an answer\.$/);
    return true;
  });
  assert.equal(seen.length, before + 1);
  await client.webhooks.delete(id);
});

test('a sample of an unknown type, or for an endpoint of another account, is refused', async () => {
  const { id } = await newEndpoint('/200');
  const before = seen.length;
  for (const json of [
    {},
    { event_type: 'batch.completed' },
    { event_type: null },
    { event_type: ['video.failed'] },
  ]) {
    const answer = await call({ ...service, apiKey }, 'POST', `/v1/webhook_endpoints/${id}/test`, { json });
    const { code, param, message } = readError(answer);
    assert.deepEqual([answer.status, code, param], [400, 'invalid_request', 'event_type']);
    assert.match(message, /is required|one of video\.completed, video\.failed/);
  }
  const stranger = openClient(await newKey());
  for (const [other, unknown] of [
    [stranger, id],
    [client, 'we_none'],
    [client, id.replace(/.{4}$/, '0000')],
  ] as const)
    await assert.rejects(other.webhooks.test(unknown, { event_type: 'video.failed' }), {
      status: 404,
      code: 'not_found',
    });
  assert.equal(seen.length, before);
  await client.webhooks.delete(id);
});
