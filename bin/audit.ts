import { OperatorError, stackTable } from '../lib/operator/operated-stack.ts';
import { readAccount, runSubcommand, withOptions } from './operator-command.ts';

const USAGE = `Shows the audit log of an account, newest first, one entry per line.

Usage: npm run -s audit -- list --account ACCOUNT [--since 2026-11-16] [where]

  --account   "-" shows refused sign-ins for which no account is known
  --since     a UTC day or time, such as 2026-11-16 or 2026-11-16T09:30:00Z
              (default: all entries, which are kept for 400 days)

Where the account is:`;

const OPTIONS = { account: { type: 'string' }, since: { type: 'string' } } as const;

/** Refused sign-ins may have no account. */
const NO_ACCOUNT = '-';

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

const readSince = (given: string | undefined): number => {
  if (given === undefined) return 0;
  const time = MOMENT.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time))
    throw new OperatorError('--since must be a UTC day or time, such as 2026-11-16 or 2026-11-16T09:30:00Z.');
  return time;
};

await runSubcommand(USAGE, withOptions(OPTIONS), {
  list: {
    options: ['account', 'since'],
    prepare: ({ account: given, since }) => {
      const account = given === NO_ACCOUNT ? NO_ACCOUNT : readAccount(given, '--account');
      const from = readSince(since);
      return async (stack) => {
        const { auditLines } = await import('../lib/operator/audit.ts');
        return auditLines(stackTable(stack, 'AuditTableName'), account, from);
      };
    },
  },
});
