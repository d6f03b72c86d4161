import { readLimit } from '../../platform/api/parameters.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { IMAGE_MODEL, MODELS } from '../../platform/domain/models.ts';
import { isNegative, minus, times } from '../../platform/domain/money.ts';
import type { Limits } from '../domain/limits.ts';
import { monthEnd, monthOf } from '../domain/periods.ts';
import type { RateLimitList, RateLimitObject, SpendLimit } from './limit-schema.ts';

type Spending = { readonly budget: string; readonly used: string; readonly currency: string };

export const spendLimitObject = ({ budget, used, currency }: Spending, now: number): SpendLimit => ({
  object: 'project.spend_limit',
  currency,
  interval: 'month',
  threshold_amount: Number(times(budget, 100)),
  enforcement: { status: isNegative(minus(used, budget)) ? 'inactive' : 'enforcing' },
  budget,
  used,
  resets_at: Date.parse(monthEnd(monthOf(now))) / 1000,
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

/** One for each model, as clients look for theirs; none where nothing is limited. */
export const rateLimitsOf = (limits: Limits): readonly RateLimitObject[] =>
  limits.createsPerMinute === undefined && limits.videosAtOnce === undefined
    ? []
    : MODELS.map((model) => rateLimitObject(model, limits));

type Query = (name: string) => string | undefined;

const positionOf = (rows: readonly RateLimitObject[], query: Query, name: string): number | undefined => {
  const id = query(name);
  if (id === undefined) return undefined;
  const position = rows.findIndex((row) => row.id === id);
  if (position === -1) throw invalidField(name, `${name} must be the id of a rate limit, such as last_id.`);
  return position;
};

export const rateLimitList = (rows: readonly RateLimitObject[], query: Query): RateLimitList => {
  const limit = readLimit(query);
  const first = (positionOf(rows, query, 'after') ?? -1) + 1;
  const between = rows.slice(first, positionOf(rows, query, 'before'));
  const data = between.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: between.length > limit,
  };
};
