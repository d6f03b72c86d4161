import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { newTaskId } from '../../functions/platform/domain/ids.ts';
import { toItem } from '../../functions/videos/adapters/task-item.ts';
import { newTask } from '../../functions/videos/domain/task.ts';
import { sqsWebhooks } from '../../functions/webhooks/adapters/sqs-webhooks.ts';
import { traceHeader } from '../../lib/local/functions/invocation.ts';
import { connect } from '../../lib/smoke/api.ts';
import { runSmoke } from '../../lib/smoke/run.ts';
import { aTask } from '../support/builders/task.ts';
import { aWebhookEvent } from '../support/builders/webhook.ts';
import { endFunctions } from '../support/functions-in-one-process.ts';
import { call, createVideo, readError, waitFor } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { openOwnService } from '../support/open-service.ts';
import type { Service } from '../support/service.ts';
import { synthesizedWith } from '../support/template.ts';
import { until } from '../support/until.ts';
import { addEndpoint, startReceiver } from '../support/webhook-receiver.ts';

/** A long run has all steps of a three-minute generation; otherwise most of them are assumed. */
const GENERATION_SECONDS = longOr(9, 180);
const TURNS_BEHIND = longOr(14, 0);

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
const withDefaults = (text: string) => {
  const stack = parse(text);
  stack.Metadata = defaults.Metadata;
  for (const [id, { Type, Properties = {} }] of Object.entries(stack.Resources)) {
    const own = defaults.Resources[id]?.Properties ?? {};
    if (Type === 'AWS::Lambda::EventSourceMapping') Properties.ScalingConfig = own.ScalingConfig;
    if (Type !== 'AWS::Lambda::Function') continue;
    const { Variables } = environmentSchema.parse(Properties).Environment;
    const expected = environmentSchema.parse(own).Environment.Variables;
    for (const name of CONCURRENCY) if (name in Variables) Variables[name] = expected[name];
    Properties.Environment = { Variables };
  }
  return JSON.stringify(stack);
};

const SMALL_QUOTA = 4;

/** A stack that the configuration would refuse: the video worker may use all executions, and must not loop. */
const withFaults = (text: string) => {
  const stack = parse(text);
  stack.Metadata = { AccountQuotas: { LambdaConcurrentExecutions: SMALL_QUOTA } };
  for (const [id, { Type, Properties = {} }] of Object.entries(stack.Resources)) {
    if (!id.startsWith('VideoWorker')) continue;
    if (Type === 'AWS::Lambda::EventSourceMapping')
      Properties.ScalingConfig = { MaximumConcurrency: SMALL_QUOTA };
    if (Type === 'AWS::Lambda::Function') Properties.RecursiveLoop = 'Terminate';
  }
  return JSON.stringify(stack);
};

const generationSeconds = GENERATION_SECONDS;
const [fitting, faulty] = await Promise.all([
  openOwnService({ generationSeconds, changeTemplate: withDefaults }),
  openOwnService({ generationSeconds, changeTemplate: withFaults }),
]);

/** Generates a video whose chain of messages has already invoked the worker. */
const generate = async (service: Service) => {
  const { cloud, operator, outputs } = service;
  const createdAt = Date.now();
  const id = newTaskId(createdAt);
  const request = { ...aTask().request, seconds: 4 } as const;
  const task = newTask({ id, account: 'tester', keyId: 'key', createdAt, fingerprint: '', request });
  await new DynamoDBClient(operator).send(
    new PutItemCommand({ TableName: outputs.TaskTableName, Item: toItem(task) }),
  );
  const worker = cloud.functionId('VideoWorker');
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:MediaGeneration-${worker}`;
  let header = 'Root=1-5759e988-bd862e3fe1be46a994272793';
  for (let turn = 0; turn < TURNS_BEHIND; turn += 1) header = traceHeader(arn, [header]);
  await new SQSClient(operator).send(
    new SendMessageCommand({
      QueueUrl: cloud.queueUrl('StepsQueue'),
      MessageBody: JSON.stringify({ taskId: id, step: 0 }),
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: header } },
    }),
  );
  const { body } = await waitFor(service, id);
  const turns = cloud.invocations().filter(({ functionId }) => functionId === worker).length;
  return { status: body.status, turns: TURNS_BEHIND + turns };
};

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

describe(`a generation of ${GENERATION_SECONDS} s with more than 16 worker steps`, () => {
  test('completes, because the template allows the loop', async () => {
    const { status, turns } = await generate(fitting);
    assert.equal(status, 'completed');
    assert.ok(turns > 16, `it took ${turns} turns`);
  });

  test('is stopped after 16 invocations otherwise, and its task fails', async () => {
    assert.deepEqual(await generate(faulty), { status: 'failed', turns: 16 });
  });
});

// After the count of the worker's invocations, and before the workers are held.
describe('the smoke test of a new account', {
  skip: !longOr(false, true) && 'runs with LONG_TESTS=1',
}, () => {
  test('passes every check without a throttled request, prints no secret and leaves nothing behind', async () => {
    const apiKey = await fitting.issueKey('smoke');
    const printed: string[] = [];
    const code = await runSmoke(['--base-url', `${fitting.baseUrl}/`, '--api-key', apiKey], {
      environment: {},
      print: (line) => printed.push(line),
      printError: (line) => printed.push(line),
      ask: undefined,
      interrupted: new AbortController().signal,
    });
    assert.deepEqual([code, printed.filter((line) => /^(FAILED|not run|skipped)/.test(line))], [0, []]);
    assert.match(printed[0] ?? '', / will generate 24 seconds of video and 4 images in 4K\.$/);
    assert.equal(printed.filter((line) => /^ok .* \d+\.\d s$/.test(line)).length, 27);
    assert.match(printed.at(-1) ?? '', /^27 of 27 checks passed in \d+ s$/);
    const output = printed.join('\n');
    assert.ok(!output.includes(apiKey) && !/X-Amz|https?:\S+\?/.test(output));
    for (const path of ['/v1/videos', '/v1/files', '/v1/webhook_endpoints'])
      assert.deepEqual((await call({ ...fitting, apiKey }, 'GET', path)).body.data, [], path);
    assert.deepEqual(fitting.cloud.throttles(), {});
  });
});

describe('a new account, with an upstream and webhook endpoints that do not answer', () => {
  test('still answers requests and runs its schedules while all workers are busy', async () => {
    await submitSlowly(fitting, 6);
    await holdWebhookWorkers(fitting, 4);
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

describe('an account whose workers may use all executions', () => {
  test('refuses requests with 503, buffered or streamed, until a worker ends, which the smoke test waits for', async () => {
    await submitSlowly(faulty, SMALL_QUOTA);
    await until(() => busy(faulty) === SMALL_QUOTA);
    for (const [method, path] of [
      ['GET', '/v1/models'],
      ['POST', '/v1/chat/completions'],
    ] as const) {
      const refused = await call(faulty, method, path);
      assert.deepEqual([refused.status, readError(refused).code], [503, 'overloaded'], path);
      assert.equal(refused.headers.get('retry-after'), '5');
    }
    const { cloud } = faulty;
    assert.equal(cloud.throttles()[cloud.functionId('ListModels')], 1);
    assert.ok(faulty.printed().some((line) => /throttled.*ListModels/.test(line)));
    const endWorker = async () => {
      endFunctions(/VideoWorker/);
      await until(() => busy(faulty) < SMALL_QUOTA);
    };
    const api = connect(faulty, new AbortController().signal, endWorker);
    assert.equal((await api.call('GET', '/v1/models')).status, 200);
    assert.equal(api.retries.count(), 1);
  });
});
