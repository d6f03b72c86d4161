import { misuse, readOptions } from '../lib/command.ts';
import { OperatorError } from '../lib/operator/operated-stack.ts';
import { runOnStack, WHERE_OPTIONS } from './operator-command.ts';

const USAGE = `Restores all tables to one moment, and says what was lost.

Usage: npm run restore -- --to 2026-11-16T09:30:00Z [--rehearse] [where]

  --to         a second of the last 35 days, in UTC, at least 5 minutes ago
  --rehearse   restores copies of the tables and reports what would change, but changes nothing

The service must be stopped, as described in RUNBOOK.md under Restore; a rehearsal needs no stop.

Where the tables are:`;

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

const readMoment = (given: string | undefined): number => {
  if (given === undefined) throw misuse('--to is missing');
  const time = MOMENT.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time))
    throw new OperatorError('--to must be a UTC time with seconds, such as 2026-11-16T09:30:00Z.');
  return time;
};

const parse = (args: string[]) => {
  const options = {
    to: { type: 'string' },
    rehearse: { type: 'boolean', default: false },
    ...WHERE_OPTIONS,
  } as const;
  return readOptions({ args, options }).values;
};

await runOnStack(USAGE, parse, ({ to, rehearse }) => {
  const moment = readMoment(to);
  return async (stack) => {
    const { restoreStack } = await import('../lib/operator/restore.ts');
    await restoreStack(stack, { moment, isRehearsal: rehearse, report: (line) => console.log(line) });
    return undefined;
  };
});
