import * as z from 'zod/mini';
import { timestamp } from '../../platform/body/schema.ts';
import { dayAfter, dayStart } from '../domain/periods.ts';
import type { UsageReport, UsageSum } from '../domain/usage.ts';
import { pageName } from './usage-query.ts';

/** Costs and usage in the format of OpenAI's administration API, where an account is a project. */

const grouped = (name: string) =>
  z.nullable(z.string()).check(z.describe(`Null unless grouped by \`${name}\`.`));
const count = (meaning: string) => z.int().check(z.gte(0), z.describe(meaning));

export const QUANTITY_UNITS = { video: 'duration_seconds', image: 'images' } as const;

export const amountSchema = z
  .object({
    value: z.number().check(z.describe('The amount as a number, which may be rounded.')),
    decimal: z.string().check(z.describe('The amount, exactly.')),
    currency: z.string().check(z.describe('ISO 4217 code in lower case.')),
  })
  .check(z.describe('An amount of money.'));

const ownerFields = {
  project_id: grouped('project_id'),
  api_key_id: grouped('api_key_id'),
  user_id: z
    .nullable(z.string())
    .check(
      z.describe('Null unless grouped by `user_id`, and for usage of keys that belonged to the account.'),
    ),
};

const costSchema = z.object({
  object: z.literal('organization.costs.result'),
  amount: amountSchema,
  line_item: z.nullable(z.string()).check(z.describe('The model. Null unless grouped by `line_item`.')),
  quantity: z
    .nullable(z.int())
    .check(z.describe('Seconds of video, or images. Null unless grouped by `line_item`.')),
  quantity_unit: z.nullable(z.enum(Object.values(QUANTITY_UNITS))),
  ...ownerFields,
});

const usageFields = {
  num_model_requests: count('Videos or images that were charged.'),
  ...ownerFields,
  model: grouped('model'),
  size: grouped('size'),
};

const videoUsageSchema = z.object({
  object: z.literal('organization.usage.videos.result'),
  seconds: count('Seconds of video.'),
  ...usageFields,
});

const imageUsageSchema = z.object({
  object: z.literal('organization.usage.images.result'),
  images: count('Images.'),
  ...usageFields,
});

export const pageSchema = <Entry extends z.core.$ZodType>(entry: Entry, meaning: string) =>
  z
    .object({
      object: z.literal('page'),
      data: z.array(entry),
      has_more: z.boolean(),
      next_page: z.nullable(z.string()).check(z.describe('The value of `page` for the next request.')),
    })
    .check(z.describe(meaning));

const dailyPageSchema = <Result extends z.core.$ZodType>(result: Result, meaning: string) =>
  pageSchema(
    z.object({
      object: z.literal('bucket'),
      start_time: timestamp('The start of a UTC day.'),
      end_time: timestamp('The start of the next day.'),
      results: z.array(result).check(z.describe('Empty on a day without usage.')),
    }),
    meaning,
  );

export const costPageSchema = dailyPageSchema(costSchema, 'Costs of the account, by UTC day.');
export const videoUsagePageSchema = dailyPageSchema(videoUsageSchema, 'Seconds of video, by UTC day.');
export const imageUsagePageSchema = dailyPageSchema(imageUsageSchema, 'Images, by UTC day.');

export type CostResult = z.infer<typeof costSchema>;
export type VideoUsageResult = z.infer<typeof videoUsageSchema>;
export type ImageUsageResult = z.infer<typeof imageUsageSchema>;
export type CostPage = z.infer<typeof costPageSchema>;
export type VideoUsagePage = z.infer<typeof videoUsagePageSchema>;
export type ImageUsagePage = z.infer<typeof imageUsagePageSchema>;

export const amountObject = (decimal: string, currency: string | null): z.infer<typeof amountSchema> => ({
  value: Number(decimal),
  decimal,
  currency: (currency ?? '').toLowerCase(),
});

const toOwner = ({ account, keyId, personId }: UsageSum) => ({
  project_id: account,
  api_key_id: keyId,
  user_id: personId,
});

export const costResult = (sum: UsageSum): CostResult => ({
  object: 'organization.costs.result',
  amount: amountObject(sum.amount ?? '0', sum.currency),
  line_item: sum.model,
  quantity: sum.model === null ? null : sum.quantity,
  quantity_unit: sum.model === null || sum.kind === null ? null : QUANTITY_UNITS[sum.kind],
  ...toOwner(sum),
});

const toUsageFields = (sum: UsageSum) => ({
  num_model_requests: sum.requests,
  ...toOwner(sum),
  model: sum.model,
  size: sum.size,
});

export const videoUsageResult = (sum: UsageSum): VideoUsageResult => ({
  object: 'organization.usage.videos.result',
  seconds: sum.quantity,
  ...toUsageFields(sum),
});

export const imageUsageResult = (sum: UsageSum): ImageUsageResult => ({
  object: 'organization.usage.images.result',
  images: sum.quantity,
  ...toUsageFields(sum),
});

export const bucketPage = <Result>({ days, next }: UsageReport, toResult: (sum: UsageSum) => Result) => ({
  object: 'page' as const,
  data: days.map(({ day, sums }) => ({
    object: 'bucket' as const,
    start_time: dayStart(day) / 1000,
    end_time: dayStart(dayAfter(day, 1)) / 1000,
    results: sums.map(toResult),
  })),
  has_more: next !== undefined,
  next_page: next === undefined ? null : pageName(next),
});
