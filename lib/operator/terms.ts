import type { StoredLimits } from '../../functions/billing/adapters/dynamo-accounts.ts';
import { MAX_KEPT_MEGABYTES } from '../../functions/billing/domain/kept-storage.ts';
import { type KeyTerms, MAX_KEY_SECONDS } from '../../functions/identity/domain/api-key.ts';
import { KEY_CHOICES, type KeyChoice } from '../../functions/identity/domain/people.ts';
import { isEmail } from '../../functions/identity/domain/person.ts';
import { ROLES, type Role } from '../../functions/identity/domain/roles.ts';
import { readMoney } from '../../functions/platform/domain/money.ts';
import { isName, NAME_RULE } from '../../functions/platform/domain/text.ts';
import { OperatorError } from './operated-stack.ts';

export type { KeyChoice, Role };

export const KEY_OPTIONS = {
  admin: { type: 'boolean', default: false },
  'expires-in': { type: 'string' },
  'monthly-budget': { type: 'string' },
  'requests-per-second': { type: 'string' },
} as const;
type GivenTerms = { readonly admin: boolean } & {
  readonly [Name in Exclude<keyof typeof KEY_OPTIONS, 'admin'>]?: string | undefined;
};

export const readKeyTerms = ({ admin, ...given }: GivenTerms, now: number): KeyTerms => {
  const { 'expires-in': expiresIn, 'monthly-budget': monthlyBudget } = given;
  const { 'requests-per-second': requestsPerSecond } = given;
  if (admin && monthlyBudget !== undefined)
    throw new OperatorError('--monthly-budget is for keys that spend; an admin key does not.');
  return {
    kind: admin ? 'admin' : 'plain',
    expiresAt: expiresIn === undefined ? undefined : readExpiry(expiresIn, now),
    monthlyBudget: monthlyBudget === undefined ? undefined : readBudget(monthlyBudget),
    requestsPerSecond: requestsPerSecond === undefined ? undefined : readRate(requestsPerSecond),
    ownerId: undefined,
  };
};

/** The name of a key is optional here. */
export const readName = (given: string | undefined): string => {
  if (given === undefined) return '';
  if (!isName(given)) throw new OperatorError(`--name ${NAME_RULE}`);
  return given;
};

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = /^([1-9]\d*)([smhd])$/;
const MAX_DAYS = MAX_KEY_SECONDS / (24 * 60 * 60);

const readExpiry = (duration: string, now: number): number => {
  const [, count, unit = ''] = DURATION.exec(duration) ?? [];
  const milliseconds = UNIT_MILLISECONDS[unit];
  if (count === undefined || milliseconds === undefined)
    throw new OperatorError(
      '--expires-in must be a whole number and a unit (s, m, h or d): 90s, 15m, 12h, 30d.',
    );
  const lifetime = Number(count) * milliseconds;
  if (lifetime > MAX_KEY_SECONDS * 1000)
    throw new OperatorError(`--expires-in must be at most ten years, which is ${MAX_DAYS}d.`);
  return now + lifetime;
};

const AMOUNT = 'an amount such as 20 or 19.95, with up to 6 decimals';

const readBudget = (given: string, accepted = AMOUNT): string => {
  const amount = readMoney(given);
  if (amount === undefined) throw new OperatorError(`--monthly-budget must be ${accepted}.`);
  return amount;
};

const readRate = (given: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(given))
    throw new OperatorError('--requests-per-second must be a whole number from 1 to 99999.');
  return Number(given);
};

export const LIMIT_OPTIONS = {
  'monthly-budget': { type: 'string' },
  'videos-at-once': { type: 'string' },
  'creates-per-minute': { type: 'string' },
  'kept-megabytes': { type: 'string' },
} as const;
type LimitOptions = { readonly [Name in keyof typeof LIMIT_OPTIONS]?: string | undefined };

/** New limits of an account: null for no limit, undefined for the stack's default. Limits that are absent stay. */
type LimitChanges = { readonly [Name in keyof StoredLimits]?: StoredLimits[Name] };

export const readLimitChanges = (options: LimitOptions): LimitChanges => {
  const budget = (given: string) => readBudget(given, `${AMOUNT}, none, or default`);
  const kept = readCount('kept-megabytes', MAX_KEPT_MEGABYTES);
  const changes = {
    ...readChange(options['monthly-budget'], 'monthlyBudget', budget),
    ...readChange(options['videos-at-once'], 'videosAtOnce', readCount('videos-at-once')),
    ...readChange(options['creates-per-minute'], 'createsPerMinute', readCount('creates-per-minute')),
    ...readChange(options['kept-megabytes'], 'keptMegabytes', kept),
  };
  if (Object.keys(changes).length === 0)
    throw new OperatorError(`set requires at least one of --${Object.keys(LIMIT_OPTIONS).join(', --')}.`);
  return changes;
};

const readChange = <T>(given: string | undefined, name: string, read: (text: string) => T) => {
  if (given === undefined) return {};
  if (given === 'none') return { [name]: null };
  return { [name]: given === 'default' ? undefined : read(given) };
};

const MAX_COUNT = 100_000;

const readCount =
  (option: string, most = MAX_COUNT) =>
  (given: string): number => {
    const number = /^\d{1,8}$/.test(given) ? Number(given) : 0;
    if (number < 1 || number > most)
      throw new OperatorError(`--${option} must be a whole number from 1 to ${most}, none, or default.`);
    return number;
  };

/** The options of the people command. */

export const readRole = (given: string | undefined): Role => {
  const role = ROLES.find((each) => each === given);
  if (role === undefined) throw new OperatorError(`--role must be one of ${ROLES.join(', ')}.`);
  return role;
};

export const readKeyChoice = (given: string | undefined): KeyChoice | undefined => {
  const choice = KEY_CHOICES.find((each) => each === given);
  if (given !== undefined && choice === undefined)
    throw new OperatorError(`--keys must be one of ${KEY_CHOICES.join(', ')}.`);
  return choice;
};

export const readEmail = (given: string | undefined): string => {
  if (given === undefined || !isEmail(given))
    throw new OperatorError('add requires an e-mail address, such as ada@example.com.');
  return given;
};
