import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal, readOptions, runCommand } from '../lib/command.ts';
import { openAccount } from '../lib/rehearsal/account.ts';
import { REHEARSALS, type Rehearsal } from '../lib/rehearsal/rehearsals.ts';

const NAMES = REHEARSALS.map(({ name }) => name).join(', ');

const USAGE = `Tries the documented deployments on this machine, without an AWS account.

Usage: npm run rehearse -- [options]

  --only NAME  one of ${NAMES}
  --verbose    show what the commands print
  --help       show this text`;

type Run = { readonly folder: string; readonly isVerbose: boolean; readonly validates: boolean };

const rehearse = async ({ title, run }: Rehearsal, options: Run): Promise<void> => {
  console.log(`\n${title}`);
  const account = await openAccount({ ...options, print: (line) => console.log(line) });
  try {
    await run(account);
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
  try {
    for (const [index, rehearsal] of chosen.entries()) {
      const folder = join(parent, rehearsal.name);
      // One check of the template is enough: the others differ little.
      await rehearse(rehearsal, { folder, isVerbose: verbose, validates: index === 0 });
    }
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\n${chosen.length} of ${chosen.length} rehearsals passed in ${seconds} s.`);
});
