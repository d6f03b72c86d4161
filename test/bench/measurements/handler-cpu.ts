import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { FunctionName } from '../../../functions/runtime/environment.ts';
import { functionEnvironment } from '../../../lib/local/functions/environment.ts';
import { createVideo, MODEL } from '../../support/http.ts';
import { type Service, startService } from '../../support/service.ts';
import { buildBundles, buildProbe, FUNCTION_ALIAS } from '../build.ts';
import { runChild } from '../children.ts';
import { gatewayEvent } from '../handler-cpu/event.ts';
import type { Figure } from '../measurement.ts';
import { HELD_BACK } from '../prompts.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const BUDGET = 0.1;
const FOLDER = join(import.meta.dirname, '..', 'handler-cpu');
const SDK_ONLY = { status: join(FOLDER, 'status-sdk.ts'), create: join(FOLDER, 'create-sdk.ts') };

const costsSchema = z.object({ whole: z.array(z.number()), sdk: z.array(z.number()) });

type Trial = {
  readonly name: keyof typeof SDK_ONLY;
  readonly function: FunctionName;
  readonly event: ReturnType<typeof gatewayEvent>;
  readonly variables: Readonly<Record<string, string>>;
};

/** A queue that nobody reads: the worker would only take the processor. */
const unreadQueue = async ({ cloud }: Service): Promise<string> => {
  const client = new SQSClient(cloud.clientConfig('bench'));
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'bench-unread' }));
  return QueueUrl;
};

const trialsFor = async (service: Service): Promise<readonly Trial[]> => {
  const { cloud, apiKey } = service;
  const id = await createVideo(service, HELD_BACK);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(cloud.clientConfig('bench')));
  const { Item } = await client.send(
    new GetCommand({ TableName: cloud.tableName('TasksTable'), Key: { id } }),
  );
  const body = JSON.stringify({ model: MODEL, prompt: HELD_BACK, seconds: 4 });
  const [collection, one] = ['/v1/videos', `/v1/videos/${id}`];
  return [
    {
      name: 'status',
      function: 'get-video',
      event: gatewayEvent({
        method: 'GET',
        resource: '/v1/videos/{task_id}',
        path: one,
        apiKey,
        pathParameters: { task_id: id },
        body: null,
      }),
      variables: { BENCH_TASK_ID: id },
    },
    {
      name: 'create',
      function: 'create-video',
      event: gatewayEvent({
        method: 'POST',
        resource: collection,
        path: collection,
        apiKey,
        pathParameters: null,
        body,
      }),
      variables: { BENCH_ITEM: JSON.stringify(Item), STEP_QUEUE_URL: await unreadQueue(service) },
    },
  ];
};

const measure = async (trial: Trial, { stage, service, probe, sdkOnly }: Parts): Promise<Figure> => {
  const { endpoint, clientConfig } = service.cloud;
  const definition = await stage.definition(trial.function, endpoint);
  const access = {
    region: 'us-east-1',
    endpoint,
    credentials: (principal: string) => clientConfig(principal).credentials,
  };
  const answer = await runChild(probe, {
    arguments: [join(definition.bundle, 'index.mjs'), sdkOnly(trial.name), JSON.stringify(trial.event)],
    environment: { ...functionEnvironment(definition, access), ...trial.variables },
  });
  const { whole, sdk } = costsSchema.parse(answer);
  const [all, part] = [median(whole), median(sdk)];
  return {
    name: `CPU beyond the SDK, ${trial.name}`,
    measured: Math.max(0, 1 - part / all),
    unit: '',
    budget: BUDGET,
    note: `${all.toFixed(3)} ms a call, of which the same SDK commands alone take ${part.toFixed(3)} ms`,
  };
};

type Parts = {
  readonly stage: Stage;
  readonly service: Service;
  readonly probe: string;
  readonly sdkOnly: (name: string) => string;
};

/** The deployed bundles against the local emulators, key warm; both handlers in one process, in turn. */
export const handlerCpu = async (stage: Stage): Promise<readonly Figure[]> => {
  const outdir = join(stage.folder, 'handler-cpu');
  const sdkOnly = await buildBundles(SDK_ONLY, outdir, { alias: FUNCTION_ALIAS });
  const probe = await buildProbe(join(FOLDER, 'probe.ts'), outdir);
  const service = await startService();
  try {
    const figures: Figure[] = [];
    for (const trial of await trialsFor(service))
      figures.push(await measure(trial, { stage, service, probe, sdkOnly }));
    return figures;
  } finally {
    await service.close();
  }
};
