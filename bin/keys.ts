import type { listApiKeys } from '../lib/operator/api-keys.ts';
import type { KeyStore } from '../lib/operator/key-store.ts';
import { readKeyTerms, readName } from '../lib/operator/key-terms.ts';
import { requirePrices, tableOf } from '../lib/operator/operated-stack.ts';
import {
  onStack,
  readAccount,
  readOptions,
  runCommand,
  UsageError,
  WHERE_OPTIONS,
  WHERE_TEXT,
} from './operator-command.ts';
import { readSubcommand } from './subcommand.ts';

const USAGE = `Creates, lists and revokes API keys.

Usage: npm run keys -- create --account ACCOUNT [--name NAME] [where]
       npm run keys -- list [where]
       npm run keys -- revoke KEY_ID [where]

What a new key may do:
  --expires-in 30d     until when, in s, m, h or d from now
  --monthly-budget 20  how much it may spend in a UTC month, in the currency of the prices
  --requests-per-second 10
                       how many requests each instance of a function takes from it
  --admin              reads and manages its account, and makes no videos or images

Where the keys are:
${WHERE_TEXT}`;

const CREATE_OPTIONS = {
  account: { type: 'string' },
  name: { type: 'string' },
  admin: { type: 'boolean', default: false },
  'expires-in': { type: 'string' },
  'monthly-budget': { type: 'string' },
  'requests-per-second': { type: 'string' },
} as const;

const SUBCOMMANDS = {
  create: { operands: 0, options: Object.keys(CREATE_OPTIONS) },
  list: { operands: 0, options: [] },
  revoke: { operands: 1, options: [] },
};

const parse = (args: string[]) => {
  const given = readOptions({
    args,
    allowPositionals: true,
    tokens: true,
    options: { ...CREATE_OPTIONS, ...WHERE_OPTIONS },
  });
  const command = readSubcommand(given, SUBCOMMANDS, USAGE);
  return { ...given.values, command, operand: given.positionals[1] };
};

type Options = ReturnType<typeof parse>;

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

type Work = (store: KeyStore) => Promise<void>;

/** Loads the SDK, which a mistake in the options need not wait for. */
const apiKeys = () => import('../lib/operator/api-keys.ts');

const create = (options: Options): Work => {
  const account = readAccount(options.account, '--account');
  const name = readName(options.name);
  const given = {
    admin: options.admin,
    expiresIn: options['expires-in'],
    monthlyBudget: options['monthly-budget'],
    requestsPerSecond: options['requests-per-second'],
  };
  const terms = readKeyTerms(given, Date.now());
  return async (store) => {
    const { issueApiKey } = await apiKeys();
    console.log(await issueApiKey(store, { account, name, ...terms }));
    console.error('This is the only time that the key is shown.');
  };
};

const stateOf = ({ revokedAt, expiresAt }: Awaited<ReturnType<typeof listApiKeys>>[number]): string => {
  if (revokedAt !== undefined) return `revoked ${day(revokedAt)}`;
  if (expiresAt === undefined) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'active until'} ${day(expiresAt)}`;
};

const list: Work = async (store) => {
  for (const key of await (await apiKeys()).listApiKeys(store)) {
    const { id, account, name, lastFour, createdAt, kind, monthlyBudget, requestsPerSecond } = key;
    const terms = [
      ...(kind === 'admin' ? ['admin'] : []),
      ...(monthlyBudget === undefined ? [] : [`${monthlyBudget} a month`]),
      ...(requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests a second`]),
    ];
    console.log(
      [id, account, `…${lastFour}`, day(createdAt), stateOf(key), ...terms, name].join('  ').trimEnd(),
    );
  }
};

const revoke = ({ operand }: Options): Work => {
  if (operand === undefined) throw new UsageError('revoke takes the id of a key, as list shows it.');
  return async (store) => {
    const { revokeApiKey } = await apiKeys();
    const key = await revokeApiKey(store, operand);
    if (key === undefined) throw new UsageError(`There is no key ${operand}; list shows the keys.`);
    console.log(`${key.id} of ${key.account} is revoked; within a minute it is refused everywhere.`);
  };
};

const workOf = (options: Options): Work => {
  switch (options.command) {
    case 'create':
      return create(options);
    case 'list':
      return list;
    case 'revoke':
      return revoke(options);
  }
};

await runCommand(async (args) => {
  const options = parse(args);
  // A mistake in the options is told before a store is looked for or opened.
  const work = workOf(options);
  await onStack(options, async (stack) => {
    if (options.command === 'create' && options['monthly-budget'] !== undefined) requirePrices(stack);
    await work(tableOf(stack, 'KeyTableName'));
  });
});
