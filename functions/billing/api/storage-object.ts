import * as z from 'zod/mini';
import { fields, wholeNumber } from '../../platform/body/schema.ts';
import {
  type KeptStorage,
  MAX_KEPT_MEGABYTES,
  monthlyStorageCost,
  storageLimit,
} from '../domain/kept-storage.ts';

export const newStorageLimitSchema = fields({
  limit_megabytes: z
    .nullable(wholeNumber(0, MAX_KEPT_MEGABYTES))
    .check(
      z.describe(
        'The most that kept items may take, in megabytes. Null: the default of the service applies.',
      ),
    ),
});

const cost = z.nullable(
  z.object({
    amount: z.string().check(z.describe('Per month, at the list price of S3 Standard.')),
    currency: z.literal('USD'),
  }),
);

export const storageLimitSchema = z
  .object({
    object: z.literal('project.storage_limit'),
    used_bytes: z.int().check(z.gte(0), z.describe('The size of all kept items.')),
    limit_bytes: z
      .nullable(z.int())
      .check(z.describe('Null means no limit, which only the operator can set.')),
    default_limit_bytes: z.int().check(z.describe('Applies to accounts without a limit of their own.')),
    used_cost: cost.check(z.describe('What the kept items cost the operator.')),
    limit_cost: cost.check(
      z.describe('What they would cost if the storage were full. Null without a limit.'),
    ),
  })
  .check(z.describe('The storage for kept videos and images.'));

export type StorageLimit = z.infer<typeof storageLimitSchema>;

const toCost = (bytes: number) => ({ amount: monthlyStorageCost(bytes), currency: 'USD' as const });

export const storageLimitObject = (storage: KeptStorage, defaultMegabytes: number): StorageLimit => {
  const limitBytes = storageLimit(storage, defaultMegabytes);
  return {
    object: 'project.storage_limit',
    used_bytes: storage.usedBytes,
    limit_bytes: limitBytes ?? null,
    default_limit_bytes: defaultMegabytes * 1_000_000,
    used_cost: toCost(storage.usedBytes),
    limit_cost: limitBytes === undefined ? null : toCost(limitBytes),
  };
};
