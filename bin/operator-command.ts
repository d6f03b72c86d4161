import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LocalCloudError } from '../lib/local/errors.ts';
import { deployedStack, type OperatedStack, OperatorError } from '../lib/operator/operated-stack.ts';

/** Runs a command and reports errors that the operator can fix in one sentence. */
export const runCommand = async (run: (args: string[]) => Promise<void>): Promise<void> => {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof LocalCloudError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};

export const readOptions = <const T extends ParseArgsConfig>(config: T) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
};

export const WHERE_TEXT = `  --stack NAME   a deployed stack, with the AWS credentials and region of the environment
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
export type Work = (stack: OperatedStack) => Promise<void>;

const onStack = async ({ stack, data }: Where, work: Work): Promise<void> => {
  if (stack !== undefined) return work(await deployedStack(stack));
  // Imported late, so that wrong options are reported at once.
  const { withLocalStack } = await import('../lib/local/local-stack.ts');
  await withLocalStack(data, work);
};

/** The arguments and options that a subcommand accepts in addition to WHERE_OPTIONS. */
type Subcommand = { readonly operands: number; readonly options: readonly string[] };

type Given = {
  readonly positionals: readonly string[];
  /** Values do not show whether an option was given or is a default. */
  readonly tokens: readonly { readonly kind: string; readonly name?: string }[];
};

/** Reads `SUBCOMMAND [OPERAND]` and rejects arguments and options that the subcommand would ignore. */
export const readSubcommand = <Name extends string>(
  { positionals, tokens }: Given,
  subcommands: Readonly<Record<Name, Subcommand>>,
  usage: string,
): { readonly command: Name; readonly operand: string | undefined } => {
  const isSubcommand = (name: string): name is Name => Object.hasOwn(subcommands, name);
  const [command = '', ...operands] = positionals;
  if (!isSubcommand(command)) throw new OperatorError(usage);
  const accepted = subcommands[command];
  const known = [...accepted.options, ...Object.keys(WHERE_OPTIONS)];
  const unknown = tokens.find(({ kind, name = '' }) => kind === 'option' && !known.includes(name));
  if (unknown !== undefined)
    throw new OperatorError(`${command} does not take the option --${unknown.name}.`);
  const superfluous = operands[accepted.operands];
  if (superfluous !== undefined)
    throw new OperatorError(`${command} does not take the argument '${superfluous}'.`);
  return { command, operand: operands[0] };
};

/** Parses the arguments and prepares the work, which reports wrong options, before it opens the stack. */
export const runOnStack = <Options extends Where>(
  parse: (args: string[]) => Options,
  prepare: (options: Options) => Work,
): Promise<void> =>
  runCommand(async (args) => {
    const options = parse(args);
    await onStack(options, prepare(options));
  });
