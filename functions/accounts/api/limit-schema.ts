import * as z from 'zod/mini';
import { timestamp } from './session-schema.ts';

/** Limits of an account in the shapes of OpenAI's administration API; what that API lacks is beside it. */

const limit = (meaning: string) =>
  z.nullable(z.int().check(z.gte(0))).check(z.describe(`${meaning} Null where there is no such limit.`));

export const spendLimitSchema = z
  .object({
    object: z.literal('project.spend_limit'),
    currency: z.string(),
    interval: z.literal('month'),
    threshold_amount: z.number().check(z.describe('The budget in hundredths of the currency.')),
    enforcement: z.object({
      status: z.enum(['inactive', 'enforcing']).check(z.describe('Enforcing once all of it is used.')),
    }),
    budget: z.string().check(z.describe('The budget, exactly.')),
    used: z.string().check(z.describe('What was charged this month and what is reserved, exactly.')),
    resets_at: timestamp('When the next UTC month begins.'),
  })
  .check(z.describe('What the account may spend in a UTC month.'));

export const rateLimitSchema = z.object({
  id: z.string(),
  object: z.literal('project.rate_limit'),
  model: z.string(),
  max_requests_per_1_minute: limit('New videos and images a minute, of all models together.'),
  max_tokens_per_1_minute: z.null().check(z.describe('Tokens are not limited.')),
  max_images_per_1_minute: z.optional(limit('The same, for the image model.')),
  max_videos_at_once: z.optional(limit('Unfinished videos, of all models together.')),
});

export const rateLimitListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(rateLimitSchema),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  })
  .check(z.describe('The limits of the account for each model; empty where it has none.'));

export type SpendLimit = z.infer<typeof spendLimitSchema>;
export type RateLimitObject = z.infer<typeof rateLimitSchema>;
export type RateLimitList = z.infer<typeof rateLimitListSchema>;
