import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal, readOptions, runCommand } from '../lib/command.ts';
import { bundleInto, keptBundles } from '../lib/lambda/bundling.ts';
import { type AccountOptions, openAccount } from '../lib/rehearsal/account.ts';
import { REHEARSALS, type Rehearsal } from '../lib/rehearsal/rehearsals.ts';

const NAMES = REHEARSALS.map(({ name }) => name).join(', ');

const USAGE = `Tries the documented deployments on this machine, without an AWS account.

Usage: npm run rehearse -- [options]

  --only NAME  one of ${NAMES}
  --verbose    show what the commands print
  --help       show this text`;

/** Each line names its rehearsal, because they run side by side. */
const rehearse = async ({ name, title, run }: Rehearsal, options: Omit<AccountOptions, 'print'>) => {
  const print = (line: string): void => console.log(line.replace(/^(?=.)/gm, `${name.padEnd(16)}`));
  print(title);
  const account = await openAccount({ ...options, print });
  try {
    await run(account);
    print('passed');
  } finally {
    await account.close();
  }
};

await runCommand(USAGE, async (args) => {
  const { only, verbose } = readOptions({
    args,
    options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } },
  }).values;
  const chosen = REHEARSALS.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0) throw new Refusal(`--only must be one of ${NAMES}.`);
  const parent = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const started = performance.now();
  process.once('SIGINT', () => process.exit(130));
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  // Each of the rehearsals would bundle the functions itself.
  keptBundles(bundleInto);
  const outcomes = await Promise.allSettled(
    chosen.map((rehearsal) =>
      rehearse(rehearsal, {
        folder: join(parent, rehearsal.name),
        isVerbose: verbose,
        validates: rehearsal.name === 'deployment',
      }),
    ),
  );
  await rm(parent, { recursive: true, force: true });
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${chosen.length} rehearsals failed.`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\n${chosen.length} of ${chosen.length} rehearsals passed in ${seconds} s.`);
});
