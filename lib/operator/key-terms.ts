import { type KeyTerms, MAX_KEY_SECONDS } from '../../functions/platform/domain/api-key.ts';
import { readMoney } from '../../functions/platform/domain/money.ts';
import { isName, NAME_RULE } from '../../functions/platform/domain/name.ts';

type Given = {
  readonly admin: boolean;
  readonly expiresIn: string | undefined;
  readonly monthlyBudget: string | undefined;
  readonly requestsPerSecond: string | undefined;
};

/** An option with a value that the command does not take. */
export class TermsError extends Error {
  override readonly name = 'TermsError';
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = /^([1-9]\d*)([smhd])$/;
const MAX_DAYS = MAX_KEY_SECONDS / (24 * 60 * 60);

const expiryOf = (duration: string, now: number): number => {
  const [, count, unit = ''] = DURATION.exec(duration) ?? [];
  const milliseconds = UNIT_MILLISECONDS[unit];
  if (count === undefined || milliseconds === undefined)
    throw new TermsError('--expires-in takes a whole number and a unit, s, m, h or d: 90s, 15m, 12h, 30d.');
  const lifetime = Number(count) * milliseconds;
  if (lifetime > MAX_KEY_SECONDS * 1000)
    throw new TermsError(`--expires-in takes at most ten years, which is ${MAX_DAYS}d.`);
  return now + lifetime;
};

const AMOUNT = 'an amount such as 20 or 19.95, with up to 6 decimals';

export const readBudget = (given: string, accepted = AMOUNT): string => {
  const amount = readMoney(given);
  if (amount === undefined) throw new TermsError(`--monthly-budget takes ${accepted}.`);
  return amount;
};

/** A key made here may go without a name. */
export const readName = (given: string | undefined): string => {
  if (given === undefined) return '';
  if (!isName(given)) throw new TermsError(`--name ${NAME_RULE}`);
  return given;
};

const readRate = (given: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(given))
    throw new TermsError('--requests-per-second takes a whole number from 1 to 99999.');
  return Number(given);
};

/** What the options of the key command say of the key. */
export const readKeyTerms = (
  { admin, expiresIn, monthlyBudget, requestsPerSecond }: Given,
  now: number,
): KeyTerms => {
  if (admin && monthlyBudget !== undefined)
    throw new TermsError('--monthly-budget is for keys that spend; an admin key does not.');
  return {
    kind: admin ? 'admin' : 'plain',
    expiresAt: expiresIn === undefined ? undefined : expiryOf(expiresIn, now),
    monthlyBudget: monthlyBudget === undefined ? undefined : readBudget(monthlyBudget),
    requestsPerSecond: requestsPerSecond === undefined ? undefined : readRate(requestsPerSecond),
  };
};
