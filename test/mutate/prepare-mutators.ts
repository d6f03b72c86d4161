import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { seededRandom } from '../support/seeded-random.ts';
import { type Mutator, OUR_MUTATORS, type SyntaxPath } from './mutators.ts';
import { PROJECT } from './reach.ts';

/** Stryker has no option for other mutators, but its list can be changed before it starts. */
const loadStrykerMutators = async (): Promise<Mutator[]> => {
  const manifest = createRequire(import.meta.url).resolve('@stryker-mutator/instrumenter/package.json');
  const address = pathToFileURL(join(dirname(manifest), 'dist', 'src', 'mutators', 'mutate.js')).href;
  const { allMutators }: { allMutators: Mutator[] } = await import(address);
  return allMutators;
};

const wrapAll = (mutators: Mutator[], wrap: (mutator: Mutator) => Mutator): void => {
  mutators.splice(0, mutators.length, ...mutators.map(wrap));
};

/** Error messages are not mutated: tests check the code of an error, not its message. */
const isMessage = ({ node, parent }: SyntaxPath): boolean =>
  parent?.type === 'NewExpression' && (node.type === 'StringLiteral' || node.type === 'TemplateLiteral');

const withoutMessages = ({ name, mutate }: Mutator): Mutator => ({
  name,
  *mutate(path) {
    if (!isMessage(path)) yield* mutate(path);
  },
});

export const prepareMutators = async (): Promise<void> => {
  const mutators = await loadStrykerMutators();
  mutators.push(...OUR_MUTATORS);
  wrapAll(mutators, withoutMessages);
};

const filtered =
  (keep: (key: string) => boolean) =>
  ({ name, mutate }: Mutator): Mutator => ({
    name,
    *mutate(path) {
      for (const [index, replacement] of [...mutate(path)].entries()) {
        const key = [path.hub.file.opts.filename, path.node.start, path.node.end, name, index].join(' ');
        if (keep(key)) yield replacement;
      }
    },
  });

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

/** Restricts the mutators to `count` mutants, chosen by seed; returns the files that contain them. */
export const sampleMutants = async (
  files: readonly string[],
  count: number,
  seed: number,
): Promise<readonly string[]> => {
  const mutators = await loadStrykerMutators();
  const unfiltered = [...mutators];
  const found = new Set<string>();
  wrapAll(
    mutators,
    filtered((key) => found.add(key).has(key)),
  );
  const contents = await Promise.all(
    files.map(async (file) => ({
      name: join(PROJECT, file),
      mutate: true,
      content: await readFile(join(PROJECT, file), 'utf8'),
    })),
  );
  await new Instrumenter(QUIET_LOGGER).instrument(contents, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
    noHeader: true,
  });
  const random = seededRandom(seed);
  const chosen = [...found]
    .toSorted()
    .map((key) => ({ key, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ key }) => key);
  const wanted = new Set(chosen);
  mutators.splice(0, mutators.length, ...unfiltered.map(filtered((key) => wanted.has(key))));
  return files.filter((file) => chosen.some((key) => key.startsWith(`${join(PROJECT, file)} `)));
};
