import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '../support/seeded-random.ts';
import { type Mutator, OUR_MUTATORS, type SyntaxPath } from './mutators.ts';
import { PROJECT } from './reach.ts';

/** A small change to a file. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  /** The offsets of the changed part. */
  readonly place: readonly [start: number, end: number];
  readonly original: string;
  readonly replacement: string;
};

/** Stryker has no option for other mutators, but its list can be changed before it starts. */
const loadStrykerMutators = async (): Promise<Mutator[]> => {
  const manifest = createRequire(import.meta.url).resolve('@stryker-mutator/instrumenter/package.json');
  const address = pathToFileURL(join(dirname(manifest), 'dist', 'src', 'mutators', 'mutate.js')).href;
  const { allMutators }: { allMutators: Mutator[] } = await import(address);
  return allMutators;
};

/** Functions that make an error of a message, and the arguments before it: the field or the context. */
const ERROR_FUNCTIONS: Readonly<Record<string, number>> = { forms: 1, invalidField: 1, refuse: 1, says: 0 };

const isWholeMessage = ({ node, parent }: SyntaxPath): boolean => {
  const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
  if (parent === null || !isText) return false;
  if (parent.type !== 'CallExpression') return parent.type === 'NewExpression';
  const first = ERROR_FUNCTIONS[String(Object(parent.callee).name)];
  return first !== undefined && Object(parent.arguments).indexOf(node) >= first;
};

/** Error messages and their parts are not mutated: tests check the code of an error, not its message. */
export const isMessage = (path: SyntaxPath): boolean =>
  isWholeMessage(path) || (path.parentPath !== null && isMessage(path.parentPath));

const withoutMessages = ({ name, mutate }: Mutator): Mutator => ({
  name,
  *mutate(path) {
    if (!isMessage(path)) yield* mutate(path);
  },
});

export const prepareMutators = async (): Promise<void> => {
  const mutators = await loadStrykerMutators();
  mutators.splice(0, mutators.length, ...[...mutators, ...OUR_MUTATORS].map(withoutMessages));
};

const never = () => false;
const nothing = () => {};
const QUIET_LOGGER = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};

const hasValidSyntax = (text: string): boolean => {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns the changed text of a file; undefined if the change leaves it as it is, or no longer valid. */
export const applyMutant = (
  text: string,
  { place: [start, end], replacement }: Pick<Mutant, 'place' | 'replacement'>,
): string | undefined => {
  const around = (part: string): string => text.slice(0, start) + part + text.slice(end);
  // Parentheses keep an expression whole beside other operators; a block takes none.
  const candidates = replacement.startsWith('{') ? [replacement] : [`(${replacement})`, replacement];
  return replacement === text.slice(start, end) ? undefined : candidates.map(around).find(hasValidSyntax);
};

type Position = { readonly line: number; readonly column: number };

const findInFile = async (file: string): Promise<readonly Mutant[]> => {
  const content = await readFile(join(PROJECT, file), 'utf8');
  const lineStarts = [0, ...Array.from(content.matchAll(/\n/g), ({ index }) => index + 1)];
  const toOffset = ({ line, column }: Position): number => (lineStarts[line] ?? 0) + column;
  // Takes seconds to load, which the usage of the command does not need.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const { mutants } = await new Instrumenter(QUIET_LOGGER).instrument(
    [{ name: file, mutate: true, content }],
    {
      plugins: null,
      ignorers: [],
      excludedMutations: [],
      noHeader: true,
    },
  );
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ location: { start, end }, mutatorName: mutator, replacement }) => {
      const place = [toOffset(start), toOffset(end)] as const;
      return { file, line: start.line + 1, mutator, place, original: content.slice(...place), replacement };
    });
};

/** Returns the possible changes to files, without those that a comment excludes. */
export const findMutants = async (files: readonly string[]): Promise<readonly Mutant[]> => {
  const found: Mutant[] = [];
  for (const file of files) found.push(...(await findInFile(file)));
  return found;
};

/** Chooses some of a list at random, in random order: the first results of a long run are a sample, too. */
export const drawSample = <T>(all: readonly T[], count: number, seed: number): readonly T[] => {
  const random = seededRandom(seed);
  return all
    .map((each) => ({ each, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ each }) => each);
};
