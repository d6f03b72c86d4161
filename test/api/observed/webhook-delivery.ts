import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import * as z from 'zod';
import { call, createVideo, type ServiceAccess, waitFor } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { addEndpoint, readWebhookId, startReceiver } from '../../support/webhook-receiver.ts';
import { service } from './service.ts';

const newAccount = async (): Promise<ServiceAccess & { account: string }> => {
  const account = `hooks-${randomUUID()}`;
  return { baseUrl: service.baseUrl, account, apiKey: await service.issueKey(account) };
};

const deliveriesSchema = z.object({
  data: z.array(z.object({ status: z.string(), attempts: z.number(), event: z.object({ id: z.string() }) })),
});
const listDeliveries = async (access: ServiceAccess, path: string) =>
  deliveriesSchema.parse((await call(access, 'GET', `${path}/deliveries`)).body).data;

describe('a video that ends', () => {
  for (const [prompt, status] of [
    ['a quiet harbour', 'completed'],
    ['refused [sample: error 400]', 'failed'],
  ] as const)
    test(`as ${status} is told once, and the SDK trusts what is told`, async () => {
      const access = await newAccount();
      const { url, received } = await startReceiver(() => 204);
      const { secret, path } = await addEndpoint(access, url);
      const id = await createVideo(access, prompt);
      await waitFor(access, id, [status]);
      await until(() => received.length > 0);
      const [first] = received;
      assert.ok(first !== undefined);
      const { body, headers } = first;
      const event = await new OpenAI({ apiKey: 'none' }).webhooks.unwrap(body, headers, secret);
      assert.deepEqual(
        [event.type, event.data, event.id],
        [`video.${status}`, { id }, headers['webhook-id']],
      );
      await until(async () => (await listDeliveries(access, path))[0]?.status === 'delivered');
      await service.cloud.runSchedule('EveryMinute');
      assert.deepEqual(await listDeliveries(access, path), [
        { status: 'delivered', attempts: 1, event: { id: event.id } },
      ]);
      assert.equal(received.length, 1);
    });

  test('and is deleted before anyone was told is told all the same, once', async () => {
    const access = await newAccount();
    const { url, received } = await startReceiver(() => 200);
    await addEndpoint(access, url);
    const id = await createVideo(access, 'a quiet harbour');
    await waitFor(access, id);
    assert.equal((await call(access, 'DELETE', `/v1/videos/${id}`)).status, 200);
    await until(() => received.length > 0);
    assert.equal(new Set(received.map(readWebhookId)).size, 1);
  });
});
