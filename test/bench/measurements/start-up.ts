import { dirname, join } from 'node:path';
import * as z from 'zod';

import { functionEnvironment } from '../../../lib/local/functions/definition.ts';

import { buildBundles, buildProbe } from '../build.ts';
import { runChild } from '../children.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { buildBaselines } from '../start-up/baseline-bundles.ts';
import { median } from '../statistics.ts';

const RUNS = 5;
const BUDGET = 0.5;
/** They import no SDK, so that there is nothing to be spared. */
const WITHOUT_SDK: readonly string[] = ['get-openapi', 'get-console', 'unknown-route'];

/** Nothing is called while a bundle loads, so nobody needs to listen there. */
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

const prepare = async (stage: Stage): Promise<Trial[]> => {
  const names = stage.names.filter((name) => !WITHOUT_SDK.includes(name));
  const baseline = await buildBaselines(names, join(stage.folder, 'baselines'));
  return Promise.all(
    names.map(async (name) => {
      const definition = await stage.definition(name, NOWHERE.endpoint);
      return {
        name,
        environment: functionEnvironment(definition, NOWHERE),
        bundles: { ours: join(definition.bundle, 'index.mjs'), baseline: baseline(name) },
        costs: { ours: [], baseline: [] },
      };
    }),
  );
};

const figureOf = ({ name, costs }: Trial, empty: Cost): Figure => {
  const over = (variant: keyof Trial['costs'], measure: keyof Cost) =>
    median(costs[variant].map((cost) => cost[measure])) - empty[measure];
  const [ours, baseline] = [over('ours', 'processor'), over('baseline', 'processor')];
  const wall = over('ours', 'wall') / over('baseline', 'wall');
  return {
    name: `start-up ${name}`,
    measured: ours / baseline,
    unit: '',
    budget: BUDGET,
    note: `CPU ${ours.toFixed(0)} ms against ${baseline.toFixed(0)} ms; by wall time ${wall.toFixed(2)}`,
  };
};

/** CPU time, medians, both variants in turn: what else runs on the machine meets both alike. */
export const startUp = async (stage: Stage): Promise<readonly Figure[]> => {
  const trials = await prepare(stage);
  const file = await buildProbe(join(import.meta.dirname, '..', 'start-up', 'probe.ts'), stage.folder);
  const empty = (
    await buildBundles({ empty: join(import.meta.dirname, '..', 'start-up', 'empty.ts') }, dirname(file), {})
  )('empty');
  const cost = async (bundle: string, environment: Record<string, string>): Promise<Cost> =>
    costSchema.parse(await runChild(file, { arguments: [bundle], environment }));

  const empties: Cost[] = [];
  for (let run = 0; run < RUNS; run += 1) {
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
  return trials.map((trial) => figureOf(trial, nothing));
};
