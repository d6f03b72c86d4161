import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { USAGE_EXAMPLES } from './usage-examples.ts';

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
