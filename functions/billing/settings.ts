import * as z from 'zod/mini';
import { PRICES } from '../catalogue/settings.ts';
import { ACCOUNTS, json } from '../platform/runtime/environment.ts';

/** The default limits of accounts; a missing value means no limit. */
export const LIMITS = {
  ...ACCOUNTS,
  ...PRICES,
  ACCOUNT_LIMITS: json(
    z.object({
      monthlyBudget: z.optional(z.string()),
      videosAtOnce: z.optional(z.number()),
      createsPerMinute: z.optional(z.number()),
    }),
  ),
};
