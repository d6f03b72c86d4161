import { dynamoCharges } from '../../functions/billing/adapters/dynamo-charges.ts';
import {
  type ChargeRecord,
  chargeFor,
  type ImageChargeRecord,
  imageChargeRecord,
} from '../../functions/billing/domain/charges.ts';
import type { ImageSize } from '../../functions/catalogue/domain/image-sizes.ts';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import { plus } from '../../functions/platform/domain/money.ts';
import { dynamoClient } from '../../lib/operator/dynamo-client.ts';
import { stackOutput } from '../../lib/operator/operated-stack.ts';
import { aVideoCharge, PRICES } from './builders/charge.ts';
import { FAST_MODEL, MODEL } from './http.ts';
import type { ServiceAddress } from './service.ts';

export type AnyCharge = ChargeRecord | ImageChargeRecord;

export const KEYS = ['key_0000000000000001', 'key_0000000000000002'] as const;

export const PEOPLE = [`user_${'a'.repeat(32)}`, `user_${'b'.repeat(32)}`] as const;

/** Charges of three days from each of these times on. */
export const seededCharges = (
  account: string,
  count: number,
  starts: readonly [number, ...number[]],
  random: () => number,
): AnyCharge[] => {
  const pick = <T>(choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  return Array.from({ length: count }, (_, position) => {
    const time = pick(starts) + Math.floor(random() * 3 * 86_400_000);
    const keyId = pick(KEYS);
    const personId = PEOPLE[Math.floor(random() * 3)];
    const upstream = 'default';
    const id = `${account}-${position}`;
    if (random() < 0.5) {
      const model = pick([MODEL, MODEL, MODEL, FAST_MODEL]);
      const charge = chargeFor(model, pick([4, 6, 8]), PRICES);
      const resolution = pick(['720p', '1080p', '4k']);
      return aVideoCharge({ ...charge, id, account, keyId, personId, model, resolution, time });
    }
    const tokens = { prompt: 1, output: 1, total: 2 };
    const size = pick<ImageSize>(['1K', '2K', '4K']);
    const use = { account, keyId, personId, upstream, model: IMAGE_MODEL, size, tokens, time };
    return imageChargeRecord({ ...use, upstreamCost: undefined, requestId: id }, PRICES);
  });
};

/** Records them as the worker does. */
export const recordCharges = async (
  { operator, outputs }: Pick<ServiceAddress, 'operator' | 'outputs'>,
  charges: readonly AnyCharge[],
): Promise<void> => {
  const output = (name: string) => stackOutput({ clientConfig: operator, outputs }, name);
  const repository = dynamoCharges(dynamoClient(operator), {
    CHARGE_TABLE: output('ChargeTableName'),
    USAGE_TABLE: output('UsageTableName'),
    ACCOUNT_TABLE: output('AccountTableName'),
    RESERVATION_TABLE: output('ReservationTableName'),
  });
  // One after another: charges of one account that meet are refused and repeated, which takes longer.
  for (const charge of charges) await repository.record(charge);
};

export const total = (amounts: Iterable<string | null | undefined>): string => {
  let sum = '0';
  for (const amount of amounts) sum = plus(sum, amount ?? '0');
  return sum;
};
