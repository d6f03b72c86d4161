import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import * as z from 'zod';
import * as classic from 'zod';
import * as mini from 'zod/mini';
import { functionEnvironment } from '../../../lib/local/functions/definition.ts';
import { buildBundles, buildProbe, functionFile } from '../build.ts';
import { runChild } from '../children.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { median } from '../statistics.ts';

const IMPORT_MINI = /import \* as z from 'zod\/mini'/g;

/** Functions of zod/mini that are only methods in zod. */
const METHODS = Object.keys(mini).filter((name) => !(name in classic.z) && name in classic.z.object({}));

const CLASSIC = [
  "import { z as classic } from 'zod';",
  'const method = (name) => (schema, ...given) => schema[name](...given);',
  `const z = { ...classic, ${METHODS.map((name) => `${name}: method('${name}')`).join(', ')} };`,
].join(' ');

/** The same sources with `import { z } from 'zod'`, as in zod's documentation. */
const classicZod: Plugin = {
  name: 'classic-zod',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(IMPORT_MINI, CLASSIC),
      loader: 'ts',
    }));
    onResolve({ filter: /^zod\/mini$/ }, ({ importer }) => ({
      errors: [{ text: `${importer} still imports zod/mini` }],
    }));
  },
};

/** Every function with the SDK's default credential chain and `import { z }`. */
const buildBaselines = (names: readonly string[], outdir: string) =>
  buildBundles(Object.fromEntries(names.map((name) => [name, functionFile(name)])), outdir, {
    plugins: [classicZod],
  });

const RUNS = 5;
const BUDGET = 0.5;
/** These do not import the SDK. */
const WITHOUT_SDK: readonly string[] = ['get-openapi', 'get-console', 'unknown-route'];

/** No server is needed, since a bundle makes no calls while it loads. */
const NOWHERE = {
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:9',
  credentials: () => ({ accessKeyId: 'none', secretAccessKey: 'none' }),
};

const costSchema = z.object({ processor: z.number(), wall: z.number() });
type Cost = z.infer<typeof costSchema>;
type Trial = {
  readonly name: string;
  readonly environment: Record<string, string>;
  readonly bundles: Readonly<Record<'ours' | 'baseline', string>>;
  readonly costs: Readonly<Record<'ours' | 'baseline', Cost[]>>;
};

/** Uses more of zod than most others. */
const QUICK_NAMES: readonly string[] = ['get-session'];

const prepare = async (stage: Stage): Promise<Trial[]> => {
  const names = stage.size(stage.names, QUICK_NAMES).filter((name) => !WITHOUT_SDK.includes(name));
  const baseline = await buildBaselines(names, join(stage.folder, 'baselines'));
  return Promise.all(
    names.map(async (name) => {
      const definition = stage.definition(name, NOWHERE.endpoint);
      return {
        name,
        environment: functionEnvironment(definition, NOWHERE),
        bundles: { ours: join(definition.bundle, 'index.mjs'), baseline: baseline(name) },
        costs: { ours: [], baseline: [] },
      };
    }),
  );
};

const toFigure = ({ name, costs }: Trial, empty: Cost): Figure => {
  const over = (variant: keyof Trial['costs'], measure: keyof Cost) =>
    median(costs[variant].map((cost) => cost[measure])) - empty[measure];
  const [ours, baseline] = [over('ours', 'processor'), over('baseline', 'processor')];
  const wall = over('ours', 'wall') / over('baseline', 'wall');
  return {
    name: `start-up ${name}`,
    measured: ours / baseline,
    unit: '',
    budget: BUDGET,
    note: `CPU ${ours.toFixed(0)} ms, baseline ${baseline.toFixed(0)} ms; ratio of wall times ${wall.toFixed(2)}`,
  };
};

/** Median CPU times; the variants take turns, so that other load affects both. */
export const startUp = async (stage: Stage): Promise<readonly Figure[]> => {
  const trials = await prepare(stage);
  const file = await buildProbe(join(import.meta.dirname, '..', 'start-up', 'probe.ts'), stage.folder);
  const empty = (
    await buildBundles({ empty: join(import.meta.dirname, '..', 'start-up', 'empty.ts') }, dirname(file), {})
  )('empty');
  const cost = async (bundle: string, environment: Record<string, string>): Promise<Cost> =>
    costSchema.parse(await runChild(file, { arguments: [bundle], environment }));

  const empties: Cost[] = [];
  for (let run = 0; run < stage.size(RUNS, 1); run += 1) {
    for (const { bundles, costs, environment } of trials) {
      costs.ours.push(await cost(bundles.ours, environment));
      costs.baseline.push(await cost(bundles.baseline, environment));
    }
    empties.push(await cost(empty, trials[0]?.environment ?? {}));
  }
  const nothing = {
    processor: median(empties.map(({ processor }) => processor)),
    wall: median(empties.map(({ wall }) => wall)),
  };
  return trials.map((trial) => toFigure(trial, nothing));
};
