import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { sqsWebhooks } from '../../functions/webhooks/adapters/sqs-webhooks.ts';
import { aWebhookEvent } from '../support/builders/webhook.ts';
import { call, createVideo, readError } from '../support/http.ts';
import { openOwnService } from '../support/open-service.ts';
import type { Service } from '../support/service.ts';
import { synthesizedWith } from '../support/template.ts';
import { until } from '../support/until.ts';
import { addEndpoint, startReceiver } from '../support/webhook-receiver.ts';

const QUOTA = 10;

const stackSchema = z.looseObject({
  Metadata: z.unknown(),
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.looseObject({}).optional() }),
  ),
});
const parse = (text: string) => stackSchema.parse(JSON.parse(text));

/** The stack of an operator who sets nothing: the account may run 10 functions at once. */
const defaults = parse(await readFile(`${await synthesizedWith({})}.template.json`, 'utf8'));

const environmentSchema = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});
const CONCURRENCY = ['WORKER_CONCURRENCY', 'WEBHOOK_CONCURRENCY'];

/** The stack that the tests share, with the quota and the consumers of one without settings. */
const withDefaults = (
  text: string,
  change: (mappings: Map<string, Record<string, unknown>>) => void = () => {},
) => {
  const stack = parse(text);
  stack.Metadata = defaults.Metadata;
  const mappings = new Map<string, Record<string, unknown>>();
  for (const [id, { Type, Properties = {} }] of Object.entries(stack.Resources)) {
    const own = defaults.Resources[id]?.Properties ?? {};
    if (Type === 'AWS::Lambda::EventSourceMapping') {
      Properties.ScalingConfig = own.ScalingConfig;
      mappings.set(id, Properties);
    }
    if (Type !== 'AWS::Lambda::Function') continue;
    const { Variables } = environmentSchema.parse(Properties).Environment;
    const expected = environmentSchema.parse(own).Environment.Variables;
    for (const name of CONCURRENCY) if (name in Variables) Variables[name] = expected[name];
    Properties.Environment = { Variables };
  }
  change(mappings);
  return JSON.stringify(stack);
};

/** A limit for the video worker that the configuration would refuse. */
const withVideoWorkers = (count: number) => (text: string) =>
  withDefaults(text, (mappings) => {
    const [, mapping = assert.fail('no mapping')] =
      [...mappings].find(([id]) => id.startsWith('VideoWorker')) ?? [];
    mapping.ScalingConfig = { MaximumConcurrency: count };
  });

const [fitting, oversubscribed] = await Promise.all([
  openOwnService({ changeTemplate: (text) => withDefaults(text) }),
  openOwnService({ changeTemplate: withVideoWorkers(QUOTA) }),
]);

/** Each of another account, so that no account's share of the workers holds them back. */
const submitSlowly = async (service: Service, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1)
    await createVideo(service, '[sample: hang always]', await service.issueKey(`slow-${number}`));
};

const holdWebhookWorkers = async (service: Service, count: number): Promise<void> => {
  const { url } = await startReceiver(() => undefined);
  const queue = sqsWebhooks(service.cloud.queueUrl('WebhooksQueue'), new SQSClient(service.operator));
  for (let number = 0; number < count; number += 1) {
    const account = `silent-${number}`;
    await addEndpoint({ ...service, apiKey: await service.issueKey(account) }, url);
    const event = aWebhookEvent({ account, id: `evt_${number}`, createdAt: Date.now() });
    await queue.sendAll([{ kind: 'event', event }]);
  }
};

const busy = ({ cloud }: Service) => cloud.executions();

describe('a new account, with an upstream and webhook endpoints that do not answer', () => {
  test('still answers requests and runs its schedules while all workers are busy', async () => {
    await submitSlowly(fitting, 12);
    await holdWebhookWorkers(fitting, 6);
    const requests = [
      () => call(fitting, 'GET', '/v1/videos'),
      () => call(fitting, 'GET', '/v1/models'),
      () =>
        call(fitting, 'POST', '/v1/videos', {
          json: { model: 'video-3.1-generate-preview', prompt: '[sample: hang always]', seconds: 4 },
        }),
    ];
    for (let round = 0; round < 3; round += 1) {
      await until(() => busy(fitting) === 4);
      const answers = await Promise.all(requests.map((request) => request()));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
    }
    const [swept] = await fitting.cloud.runSchedule('EveryMinute');
    assert.equal(swept?.type, 'response');
    assert.deepEqual(fitting.cloud.throttles(), {});
  });
});

describe('a new account whose workers may use all executions', () => {
  test('refuses requests with 500 until a worker ends', async () => {
    await submitSlowly(oversubscribed, QUOTA);
    await until(() => busy(oversubscribed) === QUOTA);
    const refused = await call(oversubscribed, 'GET', '/v1/models');
    assert.equal(refused.status, 500);
    assert.equal(readError(refused).code, 'internal');
    const { cloud } = oversubscribed;
    assert.equal(cloud.throttles()[cloud.functionId('ListModels')], 1);
    assert.ok(oversubscribed.printed().some((line) => /throttled.*ListModels/.test(line)));
    const [pid = assert.fail('no worker')] = cloud.functionProcesses()[cloud.functionId('VideoWorker')] ?? [];
    process.kill(pid, 'SIGKILL');
    await until(() => busy(oversubscribed) < QUOTA);
    assert.equal((await call(oversubscribed, 'GET', '/v1/models')).status, 200);
  });
});
