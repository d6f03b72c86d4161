import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LocalCloudError } from '../lib/local/errors.ts';
import { KeyStoreError } from '../lib/operator/key-store.ts';
import { TermsError } from '../lib/operator/key-terms.ts';
import { deployedStack, type OperatedStack } from '../lib/operator/operated-stack.ts';

/** What the commands of operators have in common: where they work, and how they say what is wrong. */

export const WHERE_TEXT = `  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

export const WHERE_OPTIONS = {
  stack: { type: 'string' },
  data: { type: 'string', default: '.local' },
} as const;

/** What the person at the terminal can mend. */
export class UsageError extends Error {}

export const readOptions = <const T extends ParseArgsConfig>(config: T) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

export const readAccount = (account: string | undefined, name: string): string => {
  if (account === undefined || !/^[\w.@-]{1,100}$/.test(account))
    throw new UsageError(`${name} takes 1 to 100 letters, digits, dots, dashes, underscores or @.`);
  return account;
};

type Where = { readonly stack?: string | undefined; readonly data: string };

export const onStack = async (
  { stack, data }: Where,
  act: (stack: OperatedStack) => Promise<void>,
): Promise<void> => {
  if (stack !== undefined) return act(await deployedStack(stack));
  // Imported late, as all that reaches a store is: a mistake in the options is told at once.
  const { withLocalStack } = await import('../lib/local/local-stack.ts');
  await withLocalStack(data, act);
};

/** Runs the command; what the person can mend is one sentence, and everything else a fault of ours. */
export const runCommand = async (run: (args: string[]) => Promise<void>): Promise<void> => {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    const isForThePerson = [UsageError, TermsError, KeyStoreError, LocalCloudError].some(
      (kind) => error instanceof kind,
    );
    if (!isForThePerson || !(error instanceof Error)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};
