import * as z from 'zod/mini';
import { timestamp } from '../../platform/body/schema.ts';
import { dayAfter, dayStart } from '../domain/periods.ts';
import type { UseReport, UseSum } from '../domain/usage.ts';
import { pageName } from './use-query.ts';

/** Costs and usage in the shapes of OpenAI's administration API, where an account is a project. */

const grouped = (name: string) =>
  z.nullable(z.string()).check(z.describe(`Null unless grouped by \`${name}\`.`));
const count = (meaning: string) => z.int().check(z.gte(0), z.describe(meaning));

export const QUANTITY_UNITS = { video: 'duration_seconds', image: 'images' } as const;

export const amountSchema = z
  .object({
    value: z.number().check(z.describe('The amount as a number, which can be rounded.')),
    decimal: z.string().check(z.describe('The amount, exactly.')),
    currency: z.string().check(z.describe('ISO 4217, in lower case.')),
  })
  .check(z.describe('An amount of money.'));

const ownerFields = { project_id: grouped('project_id'), api_key_id: grouped('api_key_id') };

export const costSchema = z.object({
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

export const videoUsageSchema = z.object({
  object: z.literal('organization.usage.videos.result'),
  seconds: count('Seconds of video.'),
  ...usageFields,
});

export const imageUsageSchema = z.object({
  object: z.literal('organization.usage.images.result'),
  images: count('Images.'),
  ...usageFields,
});

const pageOf = <Result extends z.core.$ZodType>(result: Result, meaning: string) =>
  z
    .object({
      object: z.literal('page'),
      data: z.array(
        z.object({
          object: z.literal('bucket'),
          start_time: timestamp('The beginning of a UTC day.'),
          end_time: timestamp('The beginning of the next.'),
          results: z.array(result).check(z.describe('Empty on a day without any.')),
        }),
      ),
      has_more: z.boolean(),
      next_page: z.nullable(z.string()).check(z.describe('`page` of the next request.')),
    })
    .check(z.describe(meaning));

export const costPageSchema = pageOf(costSchema, 'What the account was charged, by UTC day.');
export const videoUsagePageSchema = pageOf(videoUsageSchema, 'Seconds of video, by UTC day.');
export const imageUsagePageSchema = pageOf(imageUsageSchema, 'Images, by UTC day.');

export type Amount = z.infer<typeof amountSchema>;
export type CostResult = z.infer<typeof costSchema>;
export type VideoUsageResult = z.infer<typeof videoUsageSchema>;
export type ImageUsageResult = z.infer<typeof imageUsageSchema>;

export const amountObject = (decimal: string, currency: string | null): Amount => ({
  value: Number(decimal),
  decimal,
  currency: (currency ?? '').toLowerCase(),
});

export const costResult = ({
  account,
  keyId,
  model,
  kind,
  quantity,
  amount,
  currency,
}: UseSum): CostResult => ({
  object: 'organization.costs.result',
  amount: amountObject(amount ?? '0', currency),
  line_item: model,
  quantity: model === null ? null : quantity,
  quantity_unit: model === null || kind === null ? null : QUANTITY_UNITS[kind],
  project_id: account,
  api_key_id: keyId,
});

const toUsageFields = ({ account, keyId, model, size, requests }: UseSum) => ({
  num_model_requests: requests,
  project_id: account,
  api_key_id: keyId,
  model,
  size,
});

export const videoUsageResult = (sum: UseSum): VideoUsageResult => ({
  object: 'organization.usage.videos.result',
  seconds: sum.quantity,
  ...toUsageFields(sum),
});

export const imageUsageResult = (sum: UseSum): ImageUsageResult => ({
  object: 'organization.usage.images.result',
  images: sum.quantity,
  ...toUsageFields(sum),
});

const seconds = (day: string): number => dayStart(day) / 1000;

export const bucketPage = <Result>({ days, next }: UseReport, resultOf: (sum: UseSum) => Result) => ({
  object: 'page' as const,
  data: days.map(({ day, sums }) => ({
    object: 'bucket' as const,
    start_time: seconds(day),
    end_time: seconds(dayAfter(day, 1)),
    results: sums.map(resultOf),
  })),
  has_more: next !== undefined,
  next_page: next === undefined ? null : pageName(next),
});
