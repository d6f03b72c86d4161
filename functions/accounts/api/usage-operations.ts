import { KEY_ID } from '../../platform/domain/api-key.ts';
import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import type { ChargeRecord } from '../domain/billing.ts';
import { sumUsage, toDailyUsage, type UsageSum } from '../domain/usage.ts';
import { chargePage } from './charge-object.ts';
import { rateLimitList, rateLimitObjects, spendLimitObject } from './limit-object.ts';
import { bucketPage, costResult, imageUsageResult, videoUsageResult } from './usage-object.ts';
import { COSTS, DEFAULT_DAYS, IMAGE_USAGE, type UsageEndpoint, VIDEO_USAGE } from './usage-query.ts';

const inQuery = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});
const list = (name: string, description: string, items: object) => ({
  ...inQuery(`${name}[]`, description, { type: 'array', items: { type: 'string', ...items } }),
  explode: true,
});
const UNIX_SECONDS = { type: 'integer', minimum: 0, maximum: 99_999_999_999 };

const days = ({ maxLimit }: UsageEndpoint) =>
  inQuery('limit', 'Days of the page.', {
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    default: DEFAULT_DAYS,
  });
const groupings = ({ groupings: names }: UsageEndpoint) =>
  list('group_by', 'Splits the sums; also `group_by` again and again.', { enum: Object.keys(names) });
const values = ({ filters }: UsageEndpoint, wanted: string, description: string) =>
  list(wanted, description, { enum: filters.find(({ name }) => name === wanted)?.values });

export const USAGE_PARAMETERS = {
  StartTime: {
    ...inQuery('start_time', 'From the UTC day on that this Unix second is in.', UNIX_SECONDS),
    required: true,
  },
  EndTime: inQuery(
    'end_time',
    'Up to this Unix second; the UTC day that it cuts is whole. Now unless given.',
    UNIX_SECONDS,
  ),
  BucketWidth: inQuery('bucket_width', 'One UTC day.', { type: 'string', const: '1d' }),
  NextPage: inQuery('page', 'next_page of the page before.', { type: 'string' }),
  ProjectIds: list('project_ids', 'Only these projects; all but the account have nothing to show.', {}),
  ApiKeyIds: list('api_key_ids', 'Only these keys or console sessions.', { pattern: KEY_ID.source }),
  CostDays: days(COSTS),
  CostGroupBy: groupings(COSTS),
  LineItems: values(COSTS, 'line_items', 'Only these models.'),
  UsageDays: days(VIDEO_USAGE),
  UsageGroupBy: groupings(VIDEO_USAGE),
  VideoModels: values(VIDEO_USAGE, 'models', 'Only these models.'),
  VideoSizes: values(VIDEO_USAGE, 'sizes', 'Only these resolutions.'),
  ImageModels: values(IMAGE_USAGE, 'models', 'Only these models.'),
  ImageSizes: values(IMAGE_USAGE, 'sizes', 'Only these sizes.'),
  ChargesFrom: inQuery('start_time', 'Only charges from this Unix second on.', UNIX_SECONDS),
  ChargesBefore: inQuery('end_time', 'Only charges before this Unix second.', UNIX_SECONDS),
  AfterRateLimit: inQuery('after', 'Those after this one.', { type: 'string' }),
  BeforeRateLimit: inQuery('before', 'Those before this one.', { type: 'string' }),
} as const;

/** Examples of costs and limits, built by what builds the answers. */

const DAY = '2026-01-15';
const TIME = Date.parse(`${DAY}T09:30:00Z`);

const charge: ChargeRecord = {
  kind: 'video',
  id: 'task_01kf0t8zxg00000000000000ab',
  account: 'example',
  keyId: 'key_0123456789abcdef',
  taskId: 'task_01kf0t8zxg00000000000000ab',
  model: 'video-3.1-generate-preview',
  resolution: '720p',
  seconds: 8,
  unitPrice: '0.40',
  amount: '3.20',
  currency: 'USD',
  time: TIME,
};
const use = toDailyUsage(charge);
const image = {
  ...use,
  kind: 'image',
  model: 'image-3.1-flash-image-preview',
  size: '1K',
  quantity: 1,
} as const;

const page = <Result>(sums: readonly UsageSum[], resultOf: (sum: UsageSum) => Result) => ({
  page: bucketPage({ days: [{ day: DAY, sums }], next: undefined }, resultOf),
});

export const USAGE_EXAMPLES = {
  costs: page(sumUsage([use], ['model']), costResult),
  videos: page(sumUsage([use], ['model', 'size']), videoUsageResult),
  images: page(sumUsage([image], ['model', 'size']), imageUsageResult),
  charges: { page: chargePage([charge], false) },
  spendLimit: { limit: spendLimitObject({ budget: '100', used: '3.20', currency: 'USD' }, TIME) },
  rateLimits: {
    limits: rateLimitList(
      rateLimitObjects({ monthlyBudget: undefined, videosAtOnce: 5, createsPerMinute: 30 }),
      () => undefined,
    ),
  },
} as const;

const common = { dialect: 'openAi', tag: 'Usage', method: 'get' } as const;
const ORGANIZATION = '/v1/organization';
const PROJECT = `${ORGANIZATION}/projects/{project_id}`;
const OF_DAYS = ['StartTime', 'EndTime', 'BucketWidth', 'ProjectIds', 'ApiKeyIds', 'NextPage'] as const;

export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    path: `${ORGANIZATION}/costs`,
    id: 'getCosts',
    summary: 'Costs by day',
    description: 'What had no price when it was made is not in it.',
    parameters: [...OF_DAYS, 'CostDays', 'CostGroupBy', 'LineItems'],
    answers: { 200: answer('Days with their costs.', jsonContent('CostPage', USAGE_EXAMPLES.costs)) },
  },
  {
    ...common,
    path: `${ORGANIZATION}/usage/videos`,
    id: 'getVideoUsage',
    summary: 'Seconds of video by day',
    parameters: [...OF_DAYS, 'UsageDays', 'UsageGroupBy', 'VideoModels', 'VideoSizes'],
    answers: {
      200: answer('Days with their seconds.', jsonContent('VideoUsagePage', USAGE_EXAMPLES.videos)),
    },
  },
  {
    ...common,
    path: `${ORGANIZATION}/usage/images`,
    id: 'getImageUsage',
    summary: 'Images by day',
    parameters: [...OF_DAYS, 'UsageDays', 'UsageGroupBy', 'ImageModels', 'ImageSizes'],
    answers: {
      200: answer('Days with their images.', jsonContent('ImageUsagePage', USAGE_EXAMPLES.images)),
    },
  },
  {
    ...common,
    path: `${ORGANIZATION}/charges`,
    id: 'listCharges',
    summary: 'List charge records',
    description: 'With `Accept: text/csv` a file of all of them, which takes no `limit` and no `page`.',
    parameters: ['ChargesFrom', 'ChargesBefore', 'Order', 'Limit', 'NextPage'],
    answers: {
      200: answer('A page of charges.', {
        ...jsonContent('ChargePage', USAGE_EXAMPLES.charges),
        'text/csv': { schema: { type: 'string', description: 'A line of names, then a line a charge.' } },
      }),
    },
  },
  {
    ...common,
    path: `${PROJECT}/spend_limit`,
    id: 'getSpendLimit',
    summary: 'The budget of the account',
    description: 'Not found where the account has none.',
    parameters: ['ProjectId'],
    answers: { 200: answer('The budget.', jsonContent('SpendLimit', USAGE_EXAMPLES.spendLimit)) },
    errors: ['not_found'],
  },
  {
    ...common,
    path: `${PROJECT}/rate_limits`,
    id: 'listRateLimits',
    summary: 'The rate limits of the account',
    parameters: ['ProjectId', 'Limit', 'AfterRateLimit', 'BeforeRateLimit'],
    answers: { 200: answer('The limits.', jsonContent('RateLimitList', USAGE_EXAMPLES.rateLimits)) },
    errors: ['not_found'],
  },
];
