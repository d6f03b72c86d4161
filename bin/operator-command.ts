import type { ParseArgsConfig } from 'node:util';
import { misuse, readOptions, runCommand } from '../lib/command.ts';
import { deployedStack, type OperatedStack, OperatorError } from '../lib/operator/operated-stack.ts';

const WHERE_TEXT = `  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
  --data DIR     the data of npm start (default .local)`;

export const WHERE_OPTIONS = {
  stack: { type: 'string' },
  data: { type: 'string', default: '.local' },
} as const;

export const readAccount = (account: string | undefined, name: string): string => {
  // The audit log keeps sign-ins without an account under a dash.
  if (account === undefined || account === '-' || !/^[\w.@-]{1,100}$/.test(account))
    throw new OperatorError(
      `${name} must be 1 to 100 letters, digits, dots, dashes, underscores or @, and not a dash alone.`,
    );
  return account;
};

type Where = { readonly stack?: string | undefined; readonly data: string };
type Lines = string | readonly string[] | AsyncIterable<string>;

/** Works on the stack and returns the lines to print, if any. */
export type Work = (stack: OperatedStack) => Promise<Lines | undefined>;

const onStack = async ({ stack, data }: Where, work: Work): Promise<void> => {
  const print = async (opened: OperatedStack): Promise<void> => {
    const lines = (await work(opened)) ?? [];
    for await (const line of typeof lines === 'string' ? [lines] : lines) console.log(line);
  };
  if (stack !== undefined) return print(await deployedStack(stack));
  // Imported late, so that wrong options are reported at once.
  const { withLocalStack } = await import('../lib/local/local-stack.ts');
  await withLocalStack(data, print);
};

/**
 * Parses the arguments and prepares the work, which reports wrong options, before it opens the stack. The usage ends with
 * a heading for the options that choose the stack.
 */
export const runOnStack = <Options extends Where>(
  usage: string,
  parse: (args: string[]) => Options,
  prepare: (options: Options) => Work,
): Promise<void> =>
  runCommand(`${usage}\n${WHERE_TEXT}`, async (args) => {
    const options = parse(args);
    await onStack(options, prepare(options));
  });

type Subcommand<Options> = {
  /** The options that it accepts in addition to WHERE_OPTIONS. */
  readonly options?: readonly string[];
  readonly takesOperand?: boolean;
  readonly prepare: (options: Options & { readonly operand: string | undefined }) => Work;
};

type Given<Options> = {
  readonly values: Options;
  readonly positionals: readonly string[];
  /** Values do not show whether an option was given or is a default. */
  readonly tokens: readonly { readonly kind: string; readonly name?: string }[];
};

/** How a command with subcommands and these options reads its arguments. */
export const withOptions =
  <const Own extends NonNullable<ParseArgsConfig['options']>>(own: Own) =>
  (args: string[]) =>
    readOptions({ args, allowPositionals: true, tokens: true, options: { ...own, ...WHERE_OPTIONS } });

/** Reads `SUBCOMMAND [OPERAND]` and rejects arguments and options that the subcommand would ignore. */
export const runSubcommand = <Options extends Where>(
  usage: string,
  parse: (args: string[]) => Given<Options>,
  subcommands: Readonly<Record<string, Subcommand<Options>>>,
): Promise<void> =>
  runCommand(`${usage}\n${WHERE_TEXT}`, async (args) => {
    const { values, positionals, tokens } = parse(args);
    const [name = '', ...operands] = positionals;
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) throw misuse(`Name one of ${Object.keys(subcommands).join(', ')}`);
    const { options = [], takesOperand = false, prepare } = subcommand;
    const known = [...options, ...Object.keys(WHERE_OPTIONS)];
    const unknown = tokens.find((token) => token.kind === 'option' && !known.includes(token.name ?? ''));
    if (unknown !== undefined) throw new OperatorError(`${name} does not take the option --${unknown.name}.`);
    const superfluous = operands[takesOperand ? 1 : 0];
    if (superfluous !== undefined)
      throw new OperatorError(`${name} does not take the argument '${superfluous}'.`);
    await onStack(values, prepare({ ...values, operand: operands[0] }));
  });
