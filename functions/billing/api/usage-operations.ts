import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { KEY_ID } from '../../identity/domain/api-key.ts';
import { PERSON_ID } from '../../identity/domain/person.ts';
import { type ApiPart, jsonContent, jsonResponse, response } from '../../platform/openapi/operation.ts';
import {
  beforeParameter,
  fromParameter,
  listParameter,
  queryParameter,
  UNIX_SECONDS,
  upTo,
} from '../../platform/openapi/parameters.ts';
import type { ListedCharge } from '../domain/charges.ts';
import { sumUsage, toDailyUsage, type UsageSum } from '../domain/usage.ts';
import { chargePage, chargePageSchema, chargeSchema } from './charge-object.ts';
import { USAGE_ENDPOINTS } from './endpoints.ts';
import * as limits from './limit-object.ts';
import { newStorageLimitSchema, storageLimitObject, storageLimitSchema } from './storage-object.ts';
import * as objects from './usage-object.ts';
import { COSTS, DEFAULT_DAYS, IMAGE_USAGE, type UsageEndpoint, VIDEO_USAGE } from './usage-query.ts';

const SCHEMAS = {
  CostPage: objects.costPageSchema,
  VideoUsagePage: objects.videoUsagePageSchema,
  ImageUsagePage: objects.imageUsagePageSchema,
  Amount: objects.amountSchema,
  Charge: chargeSchema,
  ChargePage: chargePageSchema,
  SpendLimit: limits.spendLimitSchema,
  RateLimitList: limits.rateLimitListSchema,
  StorageLimit: storageLimitSchema,
  SetStorageLimit: newStorageLimitSchema,
};

const days = ({ maxLimit }: UsageEndpoint) =>
  queryParameter('limit', 'Maximum number of days on the page.', upTo(maxLimit, DEFAULT_DAYS));
const groupings = ({ groupings: names }: UsageEndpoint) =>
  listParameter('group_by', 'Groups the sums. Can also be sent as repeated `group_by`.', Object.keys(names));
const values = ({ filters }: UsageEndpoint, wanted: string, description: string) =>
  listParameter(wanted, description, filters.find(({ name }) => name === wanted)?.values);

const PARAMETERS = {
  StartTime: {
    ...queryParameter(
      'start_time',
      'Unix seconds. The result starts with the UTC day of this time.',
      UNIX_SECONDS,
    ),
    required: true,
  },
  EndTime: queryParameter(
    'end_time',
    'Unix seconds. The result ends with the UTC day of this time. Default: now.',
    UNIX_SECONDS,
  ),
  BucketWidth: queryParameter('bucket_width', 'Buckets are UTC days.', { const: '1d' }),
  NextPage: queryParameter('page', 'next_page of the previous page.'),
  ProjectIds: listParameter('project_ids', 'Only these projects. Projects other than the account are empty.'),
  ApiKeyIds: listParameter('api_key_ids', 'Only these keys or console sessions.', KEY_ID),
  UserIds: listParameter('user_ids', 'Only these people.', PERSON_ID),
  CostDays: days(COSTS),
  CostGroupBy: groupings(COSTS),
  LineItems: values(COSTS, 'line_items', 'Only these models.'),
  UsageDays: days(VIDEO_USAGE),
  UsageGroupBy: groupings(VIDEO_USAGE),
  VideoModels: values(VIDEO_USAGE, 'models', 'Only these models.'),
  VideoSizes: values(VIDEO_USAGE, 'sizes', 'Only these resolutions.'),
  ImageModels: values(IMAGE_USAGE, 'models', 'Only these models.'),
  ImageSizes: values(IMAGE_USAGE, 'sizes', 'Only these sizes.'),
  ChargesFrom: fromParameter('start_time', 'charges'),
  ChargesBefore: beforeParameter('end_time', 'charges'),
  AfterRateLimit: queryParameter('after', 'Returns limits after this one.'),
  BeforeRateLimit: queryParameter('before', 'Returns limits before this one.'),
} as const;

const DAY = '2026-01-15';
const TIME = Date.parse(`${DAY}T09:30:00Z`);

const charge: ListedCharge = {
  kind: 'video',
  id: 'task_01kf0t8zxg00000000000000ab',
  account: 'example',
  keyId: 'key_0123456789abcdef',
  personId: 'user_0123456789abcdef0123456789abcdef',
  taskId: 'task_01kf0t8zxg00000000000000ab',
  upstream: 'default',
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

const page = <Result>(sums: readonly UsageSum[], toResult: (sum: UsageSum) => Result) => ({
  page: objects.bucketPage({ days: [{ day: DAY, sums }], next: undefined }, toResult),
});

const EXAMPLES = {
  costs: page(sumUsage([use], ['model']), objects.costResult),
  videos: page(sumUsage([use], ['model', 'size']), objects.videoUsageResult),
  images: page(sumUsage([image], ['model', 'size']), objects.imageUsageResult),
  charges: { page: chargePage({ items: [charge], hasMore: false }) },
  spendLimit: { limit: limits.spendLimitObject({ budget: '100', used: '3.20', currency: 'USD' }, TIME) },
  rateLimits: {
    limits: limits.rateLimitList(
      limits.rateLimitObjects({ monthlyBudget: undefined, videosAtOnce: 5, createsPerMinute: 30 }),
      () => undefined,
    ),
  },
} as const;

const STORAGE_EXAMPLE = {
  storage: storageLimitObject({ usedBytes: 1_250_000_000, ownMegabytes: 20_000 }, 10_000),
};

const DAY_PARAMETERS = [
  'StartTime',
  'EndTime',
  'BucketWidth',
  'ProjectIds',
  'ApiKeyIds',
  'UserIds',
  'NextPage',
] as const;

const OPERATIONS = toOperations(USAGE_ENDPOINTS, {
  getCosts: {
    description: 'Excludes videos and images that had no price when they were created.',
    parameters: [...DAY_PARAMETERS, 'CostDays', 'CostGroupBy', 'LineItems'],
    responses: jsonResponse('Days with their costs.', 'CostPage', EXAMPLES.costs),
  },
  getVideoUsage: {
    description: 'Includes videos that had no price. A day without videos has no results.',
    parameters: [...DAY_PARAMETERS, 'UsageDays', 'UsageGroupBy', 'VideoModels', 'VideoSizes'],
    responses: jsonResponse('Days with their seconds.', 'VideoUsagePage', EXAMPLES.videos),
  },
  getImageUsage: {
    description: 'Includes images that had no price. A day without images has no results.',
    parameters: [...DAY_PARAMETERS, 'UsageDays', 'UsageGroupBy', 'ImageModels', 'ImageSizes'],
    responses: jsonResponse('Days with their images.', 'ImageUsagePage', EXAMPLES.images),
  },
  listCharges: {
    description:
      'With `Accept: text/csv`, returns all charges as a file; `limit` and `page` are then not accepted.',
    parameters: ['ChargesFrom', 'ChargesBefore', 'Order', 'Limit', 'NextPage'],
    responses: {
      200: response('A page of charges.', {
        ...jsonContent('ChargePage', EXAMPLES.charges),
        'text/csv': { schema: { type: 'string', description: 'A header line, then one line per charge.' } },
      }),
    },
  },
  getSpendLimit: {
    description: 'Returns 404 if the account has no budget.',
    responses: jsonResponse('The budget.', 'SpendLimit', EXAMPLES.spendLimit),
  },
  listRateLimits: {
    description:
      'One row per model; the limits apply to all models together. Empty if the account has no limits.',
    parameters: ['Limit', 'AfterRateLimit', 'BeforeRateLimit'],
    responses: jsonResponse('The limits.', 'RateLimitList', EXAMPLES.rateLimits),
  },
  getStorageLimit: {
    description: 'The size of all kept videos and images, its limit, and an estimate of their cost.',
    responses: jsonResponse('The storage.', 'StorageLimit', STORAGE_EXAMPLE),
  },
  setStorageLimit: {
    description: 'Takes effect at once. Items that are kept already stay, even if they exceed a lower limit.',
    body: jsonContent('SetStorageLimit', {
      limit: { limit_megabytes: 20_000 },
      default: { limit_megabytes: null },
    }),
    responses: jsonResponse('The storage with its new limit.', 'StorageLimit', STORAGE_EXAMPLE),
    errors: ['not_found', 'unknown_parameter'],
  },
});

export const USAGE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
