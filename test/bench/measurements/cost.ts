import { readFile } from 'node:fs/promises';
import { addQuantities, type Quantities, totalCost } from '../../../lib/evidence/prices.ts';
import { runsPerMonth, standingQuantities } from '../../../lib/evidence/standing-cost.ts';
import type { FunctionDefinition } from '../../../lib/local/functions/definition.ts';
import type { Figure } from '../measurement.ts';
import { type Activity, observedVideo } from '../observed-video.ts';
import type { Stage } from '../stage.ts';
import { sum } from '../statistics.ts';

type Sizes = {
  readonly definitions: readonly FunctionDefinition[];
  readonly itemBytes: number;
  readonly taskTable: string;
};

/** Lambda's START, END and REPORT lines of an invocation. */
const PLATFORM_LOG_BYTES = 400;

const [WRITE_UNIT_BYTES, READ_UNIT_BYTES, GIGABYTE] = [1024, 4096, 1024 ** 3];
/** The due index holds a small part of the item; a new due time is a delete and a put. */
const DUE_INDEX_UNITS = 2;
/** One eventually consistent page of an index. */
const QUERY_UNITS = 0.5;

/** A task is written with its account and due indexes; other items have one index. */
const writeUnits = (resource: string, { itemBytes, taskTable }: Sizes): number => {
  if (!resource.endsWith(`/${taskTable}`)) return 2;
  return 2 * Math.ceil(itemBytes / WRITE_UNIT_BYTES) + DUE_INDEX_UNITS;
};

const gigabyteSeconds = ({ invocations }: Activity, { definitions }: Sizes): number =>
  sum(
    invocations.map(({ functionId, billedMilliseconds }) => {
      const memory = definitions.find(({ logicalId }) => logicalId === functionId)?.memoryMegabytes;
      if (memory === undefined) throw new Error(`unknown function ${functionId}`);
      return (memory / 1024) * (billedMilliseconds / 1000);
    }),
  );

/** Converts recorded calls and invocations to what AWS bills. */
const toQuantities = (activity: Activity, sizes: Sizes): Quantities => {
  const { calls, invocations, logBytes } = activity;
  const count = (pattern: RegExp): number => calls.filter(({ action }) => pattern.test(action)).length;
  const writes = calls.filter(({ action }) => /^dynamodb:(Put|Update|Delete)Item$/.test(action));
  return {
    lambdaRequest: invocations.length,
    lambdaGigabyteSecond: gigabyteSeconds(activity, sizes),
    dynamoWriteUnit: sum(writes.map(({ resource }) => writeUnits(resource, sizes))),
    dynamoReadUnit:
      count(/^dynamodb:GetItem$/) * Math.ceil(sizes.itemBytes / READ_UNIT_BYTES) +
      count(/^dynamodb:Query$/) * QUERY_UNITS,
    // Each message is sent, received and deleted, and has its account as its group.
    sqsRequest: count(/^sqs:SendMessage$/) * 3,
    fairSqsRequest: count(/^sqs:SendMessage$/) * 3,
    s3WriteRequest: count(/^s3:(PutObject|ListBucket)$/),
    s3ReadRequest: count(/^s3:GetObject$/),
    secretRequest: count(/^secretsmanager:/),
    logGigabyte: (logBytes + invocations.length * PLATFORM_LOG_BYTES) / GIGABYTE,
  };
};

const VIDEOS = 1000;
const RETENTION_MONTHS = 7 / 30;
const LOG_MONTHS = 1;

const BUDGETS = { videos: 0.23, idleMonth: 10 };

const times = (quantities: Quantities, factor: number): Quantities =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, quantity * factor]));

const figure = (name: string, budget: number, quantities: Quantities, note: string): Figure => {
  const { dollars, largest } = totalCost(quantities);
  return { name, measured: dollars, unit: 'USD', budget, note: `${largest}; ${note}` };
};

/** The cost of 1,000 videos with a 60 s generation, and of a month without videos, at list prices. */
export const cost = async (stage: Stage): Promise<readonly Figure[]> => {
  const video = await observedVideo(stage);
  const definitions = await Promise.all(
    stage.names.map((name) => stage.definition(name, 'http://127.0.0.1:9')),
  );
  const sizes = { definitions, itemBytes: video.itemBytes, taskTable: video.taskTable };
  const perVideo = {
    ...toQuantities(video, sizes),
    apiGatewayRequest: video.requests,
    s3GigabyteMonth: (video.fileBytes / GIGABYTE) * RETENTION_MONTHS,
  };
  const scheduled = addQuantities(
    times(toQuantities(video.sweep, sizes), runsPerMonth('rate(1 minute)')),
    times(toQuantities(video.cleanUp, sizes), runsPerMonth('rate(1 hour)')),
  );
  const perMonth = addQuantities(
    standingQuantities(JSON.parse(await readFile(stage.templateFile, 'utf8'))),
    scheduled,
    {
      customMetric: video.sweep.customMetrics + video.cleanUp.customMetrics,
      logGigabyteMonth: (scheduled.logGigabyte ?? 0) * LOG_MONTHS,
    },
  );
  return [
    figure(
      `cost of ${VIDEOS} videos`,
      BUDGETS.videos,
      times(perVideo, VIDEOS),
      `${video.requests} requests per video, 60 s generation, file of ${(video.fileBytes / 1e6).toFixed(1)} MB kept 7 days; without the generator, downloads, traces and monthly costs`,
    ),
    figure(
      'cost of a month without videos',
      BUDGETS.idleMonth,
      perMonth,
      'alarms, dashboard, keys and secrets of the template, the scheduled runs, queue polling; without stored data',
    ),
  ];
};
