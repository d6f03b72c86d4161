import * as z from 'zod/mini';

const MAX_SEED = 2 ** 31 - 1;

/** How the model is to work, as both image formats have it. */
export const samplingFields = {
  limit: z.optional(z.int().check(z.gte(1), z.describe('Most tokens of the answer.'))),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(2))),
  share: z.optional(z.number().check(z.gte(0), z.lte(1))),
  seed: z.optional(z.int().check(z.gte(-MAX_SEED), z.lte(MAX_SEED))),
};
