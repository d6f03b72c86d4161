import * as z from 'zod/mini';
import { IMAGE_MODEL, MODELS } from '../../catalogue/domain/models.ts';
import { listObject, listSchema, readLimit } from '../../platform/api/pages.ts';
import type { Query } from '../../platform/api/parameters.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isNegative, minus, times } from '../../platform/domain/money.ts';
import type { Limits } from '../domain/limits.ts';
import { monthEnd, toUtcMonth } from '../domain/periods.ts';

/** Limits of an account in the format of OpenAI's administration API, with a few fields of our own. */

const limit = (meaning: string) =>
  z.nullable(z.int().check(z.gte(0))).check(z.describe(`${meaning} Null means no limit.`));

export const spendLimitSchema = z
  .object({
    object: z.literal('project.spend_limit'),
    currency: z.string(),
    interval: z.literal('month'),
    threshold_amount: z.number().check(z.describe('The budget in hundredths of the currency.')),
    enforcement: z.object({
      status: z.enum(['inactive', 'enforcing']).check(z.describe('`enforcing` once the budget is used up.')),
    }),
    budget: z.string().check(z.describe('The budget, exactly.')),
    used: z.string().check(z.describe('The amount charged and reserved this month, exactly.')),
    resets_at: timestamp('When the next UTC month begins.'),
  })
  .check(z.describe('The most that the account may spend in a UTC month.'));

const rateLimitSchema = z.object({
  id: z.string(),
  object: z.literal('project.rate_limit'),
  model: z.string(),
  max_requests_per_1_minute: limit('New videos and images per minute, for all models together.'),
  max_tokens_per_1_minute: z.null().check(z.describe('Tokens are not limited.')),
  max_images_per_1_minute: z.optional(limit('The same, for the image model.')),
  max_videos_at_once: z.optional(limit('Unfinished videos, for all models together.')),
});

export const rateLimitListSchema = listSchema(
  rateLimitSchema,
  'The limits of the account for each model. Empty if it has none.',
);

export type SpendLimit = z.infer<typeof spendLimitSchema>;
type RateLimitObject = z.infer<typeof rateLimitSchema>;

type Spending = { readonly budget: string; readonly used: string; readonly currency: string };

export const spendLimitObject = ({ budget, used, currency }: Spending, now: number): SpendLimit => ({
  object: 'project.spend_limit',
  currency,
  interval: 'month',
  threshold_amount: Number(times(budget, 100)),
  enforcement: { status: isNegative(minus(used, budget)) ? 'inactive' : 'enforcing' },
  budget,
  used,
  resets_at: Date.parse(monthEnd(toUtcMonth(now))) / 1000,
});

const rateLimitObject = (
  model: (typeof MODELS)[number],
  { createsPerMinute, videosAtOnce }: Limits,
): RateLimitObject => ({
  id: `rl-${model}`,
  object: 'project.rate_limit',
  model,
  max_requests_per_1_minute: createsPerMinute ?? null,
  max_tokens_per_1_minute: null,
  ...(model === IMAGE_MODEL
    ? { max_images_per_1_minute: createsPerMinute ?? null }
    : { max_videos_at_once: videosAtOnce ?? null }),
});

/** Repeated for each offered model, because clients look up their own; empty without limits. */
export const rateLimitObjects = (limits: Limits, models = MODELS): readonly RateLimitObject[] =>
  limits.createsPerMinute === undefined && limits.videosAtOnce === undefined
    ? []
    : models.map((model) => rateLimitObject(model, limits));

const findPosition = (rows: readonly RateLimitObject[], query: Query, name: string): number | undefined => {
  const id = query(name);
  if (id === undefined) return undefined;
  const position = rows.findIndex((row) => row.id === id);
  if (position === -1) throw invalidField(name, `${name} must be the id of a rate limit, such as last_id.`);
  return position;
};

export const rateLimitList = (
  rows: readonly RateLimitObject[],
  query: Query,
): z.infer<typeof rateLimitListSchema> => {
  const limit = readLimit(query);
  const first = (findPosition(rows, query, 'after') ?? -1) + 1;
  const between = rows.slice(first, findPosition(rows, query, 'before'));
  return listObject(between.slice(0, limit), between.length > limit);
};
