import { type ParseArgsConfig, parseArgs } from 'node:util';

/** An error that the person who runs a command can fix, described in one sentence. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

const HELP = '--help';
const HINT = `; ${HELP} lists the options.`;

/** A refusal that ends with the way to the usage. */
export const misuse = (reason: string, cause?: unknown): Refusal =>
  new Refusal(`${reason}${HINT}`, { cause });

export const readOptions = <const T extends ParseArgsConfig>(config: T) => {
  try {
    return parseArgs(config);
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('. ') : [];
    throw misuse(reason.replace(/\.$/, ''), cause);
  }
};

export const readNumber = (name: string, text: string, least = 0, most = 999_999_999): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new Refusal(`--${name} must be a whole number from ${least} to ${most}, not ${text}.`);
  return Number(text);
};

/** Characters that would start a new line, hide text or control the terminal. */
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line: names and other stored texts come from clients. */
export const toPrintable = (text: string): string => text.replace(NOT_PRINTABLE, '?');

/** Errors with other causes are mistakes in the command, which need their stack. */
const explain = (error: unknown): string | undefined => {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  // AWS refuses the call, or cannot be reached.
  if ('$metadata' in error) return name === 'Error' ? `AWS: ${message}` : `AWS: ${name}: ${message}`;
  // Such as a port that is in use, or a folder that cannot be written.
  return 'syscall' in error ? message : undefined;
};

const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(HELP);
};

/** Runs a command, unless its arguments ask for the usage. A refusal is one sentence and the exit code 1. */
export const runCommand = async (usage: string, run: (args: string[]) => Promise<void>): Promise<void> => {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) return console.log(usage);
  try {
    await run(args);
  } catch (error) {
    const sentence = explain(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    process.exitCode = 1;
  }
};
