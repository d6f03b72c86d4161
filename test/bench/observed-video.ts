import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { AwsCall } from '../../lib/local/emulators/start.ts';
import type { InvocationRecord } from '../../lib/local/functions/invocation.ts';
import { call, createVideo, waitFor } from '../support/http.ts';
import { plainItem } from '../support/plain-item.ts';
import type { Service } from '../support/service.ts';
import { ofSeconds } from './prompts.ts';
import type { Stage } from './stage.ts';
import { workerSteps } from './worker-steps.ts';

export type Activity = {
  readonly invocations: readonly InvocationRecord[];
  readonly calls: readonly AwsCall[];
  readonly logBytes: number;
  /** Number of CloudWatch metrics that the log lines write. */
  readonly customMetrics: number;
};
type ObservedVideo = Activity & {
  readonly steps: readonly InvocationRecord[];
  /** Requests of the client: create, polls and content. */
  readonly requests: number;
  readonly itemBytes: number;
  readonly fileBytes: number;
  readonly taskTable: string;
  readonly workerId: string;
  /** One run each of the sweeper and the hourly clean-up, with nothing to do. */
  readonly sweep: Activity;
  readonly cleanUp: Activity;
};

const record = async <Value>(
  { cloud, logs }: Service,
  act: () => Promise<Value>,
): Promise<Activity & { value: Value }> => {
  await cloud.clearCalls();
  const [invocationsBefore, logsBefore] = [cloud.invocations().length, logs().length];
  const value = await act();
  const lines = logs().slice(logsBefore);
  return {
    value,
    invocations: cloud.invocations().slice(invocationsBefore),
    calls: await cloud.calls(),
    logBytes: Buffer.byteLength(lines.join('\n')),
    customMetrics: new Set(lines.flatMap(readMetrics)).size,
  };
};

const lineSchema = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

/** The CloudWatch metrics of a log line: its name with each set of dimensions. */
const readMetrics = (line: string): string[] => {
  if (!line.includes('"_aws"')) return [];
  const { _aws, ...fields } = lineSchema.parse(JSON.parse(line));
  return _aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => JSON.stringify([Name, ...names.map((name) => [name, fields[name]])])),
    ),
  );
};

/** Polls at the suggested interval, then downloads; returns the number of requests. */
const follow = async (service: Service, id: string): Promise<number> => {
  for (let requests = 1; ; requests += 1) {
    const { headers, body } = await call(service, 'GET', `/v1/videos/${id}`);
    if (body.status === 'failed') throw new Error(`the video failed: ${JSON.stringify(body.error)}`);
    if (body.status === 'completed') {
      await call(service, 'GET', `/v1/videos/${id}/content`);
      return requests + 1;
    }
    const wait = Number(headers.get('openai-poll-after-ms') ?? '3000');
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
};

const readTask = async (
  { cloud }: Service,
  id: string,
): Promise<{ itemBytes: number; fileBytes: number }> => {
  const client = new DynamoDBClient(cloud.clientConfig('bench'));
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName: cloud.tableName('TasksTable'), Key: { id: { S: id } } }),
  );
  return {
    itemBytes: Buffer.byteLength(JSON.stringify(plainItem(Item))),
    fileBytes: Number(Item.task?.M?.file?.M?.bytes?.N ?? 0),
  };
};

/** Fills the caches of API keys and of the upstream's secret, as in a service that is in use. */
const warmUp = async (service: Service): Promise<void> => {
  const id = await createVideo(service, 'a');
  await waitFor(service, id);
  await call(service, 'GET', `/v1/videos/${id}/content`);
  await service.cloud.runSchedule('EveryMinute');
  await service.cloud.runSchedule('EveryHour');
};

const observe = async (start: Stage['start'], prompt: string): Promise<ObservedVideo> => {
  await using service = await start();
  const { cloud } = service;
  await warmUp(service);
  let [id, requests] = ['', 0];
  const { value: steps, ...video } = await record(service, () =>
    workerSteps(cloud, async () => {
      id = await createVideo(service, prompt);
      requests = 1 + (await follow(service, id));
    }),
  );
  const { value: _, ...sweep } = await record(service, () => cloud.runSchedule('EveryMinute'));
  const { value: __, ...cleanUp } = await record(service, () => cloud.runSchedule('EveryHour'));
  const workerId = cloud.functionId('VideoWorker');
  const taskTable = cloud.tableName('TasksTable');
  const task = await readTask(service, id);
  return { ...video, ...task, steps, requests, taskTable, workerId, sweep, cleanUp };
};

let observed: Promise<ObservedVideo> | undefined;

/** Observes one video with a 60 s generation, once for all measurements. */
export const observedVideo = ({ size, start }: Stage): Promise<ObservedVideo> => {
  observed ??= observe(start, ofSeconds(size(60, 1)));
  return observed;
};
