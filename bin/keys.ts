import { issueApiKey, type KeyStore, listApiKeys, revokeApiKey } from '../lib/keys/api-keys.ts';
import { readKeyTerms } from '../lib/keys/key-terms.ts';
import { type OperatedStack, requirePrices, tableOf } from '../lib/keys/operated-stack.ts';
import {
  onStack,
  readAccount,
  readOptions,
  runCommand,
  UsageError,
  WHERE_OPTIONS,
  WHERE_TEXT,
} from './operator-command.ts';

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

const parse = (args: string[]) => {
  const { values, positionals } = readOptions({
    args,
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      name: { type: 'string', default: '' },
      admin: { type: 'boolean', default: false },
      'expires-in': { type: 'string' },
      'monthly-budget': { type: 'string' },
      'requests-per-second': { type: 'string' },
      ...WHERE_OPTIONS,
    },
  });
  return { ...values, command: positionals[0], operand: positionals[1] };
};

type Options = ReturnType<typeof parse>;

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

const create = async (store: KeyStore, options: Options): Promise<void> => {
  const { name, admin } = options;
  const account = readAccount(options.account, '--account');
  const given = {
    admin,
    expiresIn: options['expires-in'],
    monthlyBudget: options['monthly-budget'],
    requestsPerSecond: options['requests-per-second'],
  };
  const terms = readKeyTerms(given, Date.now());
  console.log(await issueApiKey(store, { account, name, ...terms }));
  console.error('This is the only time that the key is shown.');
};

const stateOf = ({ revokedAt, expiresAt }: Awaited<ReturnType<typeof listApiKeys>>[number]): string => {
  if (revokedAt !== undefined) return `revoked ${day(revokedAt)}`;
  if (expiresAt === undefined) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'active until'} ${day(expiresAt)}`;
};

const list = async (store: KeyStore): Promise<void> => {
  for (const key of await listApiKeys(store)) {
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

const revoke = async (store: KeyStore, { operand }: Options): Promise<void> => {
  if (operand === undefined) throw new UsageError('revoke takes the id of a key, as list shows it.');
  const key = await revokeApiKey(store, operand);
  if (key === undefined) throw new UsageError(`There is no key ${operand}; list shows the keys.`);
  console.log(`${key.id} of ${key.account} is revoked; within a minute it is refused everywhere.`);
};

const act =
  (options: Options) =>
  (stack: OperatedStack): Promise<void> => {
    const store = tableOf(stack, 'KeyTableName');
    switch (options.command) {
      case 'create':
        if (options['monthly-budget'] !== undefined) requirePrices(stack);
        return create(store, options);
      case 'list':
        return list(store);
      default:
        return revoke(store, options);
    }
  };

await runCommand(async (args) => {
  const options = parse(args);
  if (!['create', 'list', 'revoke'].includes(options.command ?? '')) throw new UsageError(USAGE);
  await onStack(options, act(options));
});
