import type { listApiKeys } from '../lib/operator/administration.ts';
import { OperatorError, requirePrices } from '../lib/operator/operated-stack.ts';
import { KEY_OPTIONS, readKeyTerms, readName } from '../lib/operator/terms.ts';
import { readAccount, runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Creates, lists and revokes API keys.

Usage: npm run keys -- create --account ACCOUNT [--name NAME] [where]
       npm run keys -- list [where]
       npm run keys -- revoke KEY_ID [where]

Terms of a new key:
  --expires-in 30d     lifetime in s, m, h or d
  --monthly-budget 20  spending limit per UTC month, in the currency of the prices
  --requests-per-second 10
                       rate limit in each instance of a function
  --admin              manages its account, but cannot create videos or images

Where the keys are:`;

const CREATE_OPTIONS = {
  account: { type: 'string' },
  name: { type: 'string' },
  ...KEY_OPTIONS,
} as const;

const parse = withOptions(CREATE_OPTIONS);

/** Loads the SDK only after the options are checked. */
const openKeys = () => import('../lib/operator/administration.ts');

const create = (options: ReturnType<typeof parse>['values']): Work => {
  const account = readAccount(options.account, '--account');
  const name = readName(options.name);
  const terms = readKeyTerms(options, Date.now());
  return async (stack) => {
    if (terms.monthlyBudget !== undefined) requirePrices(stack);
    const { issueApiKey } = await openKeys();
    const key = await issueApiKey(stack, { account, name, ...terms });
    console.error('The key is shown only once.');
    return key;
  };
};

type Key = Awaited<ReturnType<typeof listApiKeys>>[number];

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const describeState = ({ revokedAt, expiresAt }: Key): string => {
  if (revokedAt !== undefined) return `revoked ${toDay(revokedAt)}`;
  if (expiresAt === undefined) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'active until'} ${toDay(expiresAt)}`;
};

const describeKey = (key: Key): string => {
  const { id, account, name, lastFour, createdAt, kind, monthlyBudget, requestsPerSecond, ownerId } = key;
  const terms = [
    ...(ownerId === undefined ? [] : [`of ${ownerId}`]),
    ...(kind === 'admin' ? ['admin'] : []),
    ...(monthlyBudget === undefined ? [] : [`${monthlyBudget} a month`]),
    ...(requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests per second`]),
  ];
  return [id, account, `…${lastFour}`, toDay(createdAt), describeState(key), ...terms, name]
    .join('  ')
    .trimEnd();
};

const revoke = (id: string | undefined): Work => {
  if (id === undefined) throw new OperatorError('revoke requires the id of a key; list shows the ids.');
  return async (stack) => {
    const { revokeApiKey } = await openKeys();
    const key = await revokeApiKey(stack, id);
    if (key === undefined) throw new OperatorError(`There is no key ${id}; list shows the keys.`);
    return `${key.id} of ${key.account} is revoked; it is rejected everywhere within a minute.`;
  };
};

await runSubcommand(USAGE, parse, {
  create: { options: Object.keys(CREATE_OPTIONS), prepare: create },
  list: {
    prepare: () => async (stack) => (await (await openKeys()).listApiKeys(stack)).map(describeKey),
  },
  revoke: { takesOperand: true, prepare: ({ operand }) => revoke(operand) },
});
