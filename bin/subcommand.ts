import { UsageError, WHERE_OPTIONS } from './operator-command.ts';

/** What a subcommand takes after its name, besides the options that say where it works. */
type Subcommand = { readonly operands: number; readonly options: readonly string[] };

type Given = {
  readonly positionals: readonly string[];
  /** Values cannot tell what was given from what is a default. */
  readonly tokens: readonly { readonly kind: string; readonly name?: string }[];
};

const optionsOf = ({ tokens }: Given): readonly string[] =>
  tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []));

/** The subcommand that is named; an argument that it would ignore is refused. */
export const readSubcommand = <Name extends string>(
  given: Given,
  subcommands: Readonly<Record<Name, Subcommand>>,
  usage: string,
): Name => {
  const isSubcommand = (name: string): name is Name => Object.hasOwn(subcommands, name);
  const [command = '', ...operands] = given.positionals;
  if (!isSubcommand(command)) throw new UsageError(usage);
  const takes = subcommands[command];
  const known = [...takes.options, ...Object.keys(WHERE_OPTIONS)];
  const option = optionsOf(given).find((name) => !known.includes(name));
  if (option !== undefined) throw new UsageError(`${command} does not take the option --${option}.`);
  const superfluous = operands[takes.operands];
  if (superfluous !== undefined)
    throw new UsageError(`${command} does not take the argument '${superfluous}'.`);
  return command;
};
