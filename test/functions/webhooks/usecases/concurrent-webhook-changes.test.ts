import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sealedText } from '../../../../functions/platform/aws/secret.ts';
import { dynamoWebhookEndpoints } from '../../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import { hintOf } from '../../../../functions/webhooks/domain/webhook-signature.ts';
import type { WebhookDescription } from '../../../../functions/webhooks/domain/webhooks.ts';
import { rotateSecret, updateEndpoint } from '../../../../functions/webhooks/usecases/manage-webhooks.ts';
import { emulated } from '../../../lib/local/emulators/emulated.ts';
import { aWebhookEndpoint } from '../../../support/builders/webhook.ts';
import { strictLogger } from '../../../support/loggers.ts';
import { createWebhookTables } from '../../../support/webhook-tables.ts';

const UNCHANGED = { name: undefined, url: undefined, eventTypes: undefined };

describe('60 requests that change one endpoint at once', () => {
  test('change it one after the other, or are refused as conflicts', async () => {
    const cloud = await emulated();
    after(() => cloud.end());
    const client = cloud.clients.dynamo;
    const { endpoints: table } = await createWebhookTables(client, 'contended');
    const endpoints = dynamoWebhookEndpoints(
      client,
      table,
      sealedText(async () => 'key'),
      strictLogger,
    );
    const { id, account } = aWebhookEndpoint();
    await endpoints.add(aWebhookEndpoint({ id }));
    const requests = Array.from({ length: 60 }, async (_, position) =>
      position % 2 === 0
        ? updateEndpoint(endpoints, account, id, { ...UNCHANGED, name: `name ${position}` }, Date.now())
        : (await rotateSecret(endpoints, account, id, true, Date.now())).endpoint,
    );
    const outcomes = await Promise.allSettled(requests);
    const answers = outcomes.flatMap((outcome) => {
      if (outcome.status === 'fulfilled') return [outcome.value];
      assert.equal(outcome.reason.code, 'concurrent_update');
      return [];
    });
    // All of them, unless the machine is so busy that each try takes a second.
    assert.ok(answers.length > 40, `${answers.length} changes`);
    assert.equal(new Set(answers.map(({ updatedAt }) => updatedAt)).size, answers.length);
    const last = answers.toSorted((one, other) => other.updatedAt - one.updatedAt)[0];
    assert.deepEqual(await endpoints.describe(account, id), last);
  });
});

describe('a change of an endpoint that others always change first', () => {
  const { secret, oldSecret: _, ...endpoint } = aWebhookEndpoint();
  const read: WebhookDescription = { ...endpoint, secretHint: hintOf(secret) };

  const CHANGES: Readonly<Record<string, (write: () => Promise<boolean>) => Promise<unknown>>> = {
    update: (change) =>
      updateEndpoint(
        { describe: async () => read, change },
        read.account,
        read.id,
        { ...UNCHANGED, name: 'new' },
        1,
      ),
    rotation: (rotate) =>
      rotateSecret({ describe: async () => read, rotate }, read.account, read.id, false, 1),
  };
  for (const [name, change] of Object.entries(CHANGES))
    test(`is refused as a conflict after 20 tries, with pauses between them: ${name}`, async (context) => {
      context.mock.method(Math, 'random', () => 0.001);
      let tries = 0;
      const started = performance.now();
      const refused = change(async () => {
        tries += 1;
        return false;
      });
      await assert.rejects(refused, {
        code: 'concurrent_update',
        message: `Webhook endpoint ${read.id} is being changed by too many requests at once, and this change was not made; try again.`,
      });
      assert.equal(tries, 20);
      assert.ok(performance.now() - started >= 15);
    });
});
