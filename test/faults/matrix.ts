import { longOr } from '../support/long-tests.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Run, runScenario } from './run-scenario.ts';
import { ALL, type Scenario } from './scenarios.ts';
import { describeFaults, type Fault, kindsFor } from './world/fault.ts';

export type Case = { readonly faults: readonly Fault[]; readonly seed: number; readonly run: Run };

/** How many orders of the same calls are tried where invocations overlap. */
const INTERLEAVINGS = longOr(2, 4);

const runCase = async (scenario: Scenario, faults: readonly Fault[], seed: number): Promise<Case> => ({
  faults,
  seed,
  run: await runScenario(scenario, faults, seed),
});

const isOverlapping = ({ kind }: Fault): boolean => kind === 'delivered twice at once';

const drawSample = <T>(all: readonly T[], size: number, random: () => number): readonly T[] =>
  all
    .map((one) => ({ one, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, size)
    .map(({ one }) => one);

/** The calls that a scenario makes with each seed when nothing goes wrong. */
const faultlessCalls = (scenario: Scenario) => {
  const known = new Map<number, Promise<Run>>();
  return async (seed: number): Promise<Run['names']> => {
    const run = known.get(seed) ?? runScenario(scenario, [], seed);
    known.set(seed, run);
    return (await run).names;
  };
};

/** Faults of a scenario that has no number of its own; with LONG_TESTS set, all of them. */
const FAULTS = longOr(60, ALL);
/** How many of a sample are tried. */
const SHARE = longOr(0.4, 1);

/** Faults at the calls that the scenario makes when nothing goes wrong: each of them, or a sample if there are many. */
export async function* singleFaults(scenario: Scenario, seed: number): AsyncGenerator<Case> {
  const callsWith = faultlessCalls(scenario);
  const names = await callsWith(seed);
  const { faultsAt = () => true } = scenario;
  const faults = names.flatMap((name, call) =>
    faultsAt(name) ? kindsFor(name).map((kind) => ({ call, kind })) : [],
  );
  const size = Math.ceil((scenario.sample ?? FAULTS) * SHARE);
  for (const fault of drawSample(faults, size, seededRandom(seed))) {
    yield runCase(scenario, [fault], seed);
    // The calls before the fault fall differently with another seed, so that its number is looked up anew.
    if (isOverlapping(fault)) yield* otherOrders(scenario, fault, callsWith, seed);
  }
}

async function* otherOrders(
  scenario: Scenario,
  { call: first, kind }: Fault,
  callsWith: (seed: number) => Promise<Run['names']>,
  seed: number,
): AsyncGenerator<Case> {
  const base = await callsWith(seed);
  const sent = base[first];
  const position = base.slice(0, first).filter((name) => name === sent).length;
  for (let order = 1; order < INTERLEAVINGS; order += 1) {
    const names = await callsWith(seed + order);
    const call = [...names.entries()].filter(([, name]) => name === sent)[position]?.[0];
    if (call !== undefined) yield runCase(scenario, [{ call, kind }], seed + order);
  }
}

/** Two faults: one of the given cases, and another fault at any call that its run makes afterwards. */
export async function* pairedFaults(
  scenario: Scenario,
  singles: readonly Case[],
  count: number,
  seed: number,
): AsyncGenerator<Case> {
  const random = seededRandom(seed);
  const pick = <T>(choices: readonly T[]): T | undefined => choices[Math.floor(random() * choices.length)];
  for (let made = 0; made < count; made += 1) {
    const single = pick(singles);
    const [first] = single?.faults ?? [];
    if (single === undefined || first === undefined) return;
    const { names } = single.run;
    const call = first.call + 1 + Math.floor(random() * (names.length - first.call - 1));
    const name = names[call];
    const kind = name === undefined ? undefined : pick(kindsFor(name));
    if (kind !== undefined) yield runCase(scenario, [first, { call, kind }], single.seed);
  }
}

export const describeCase = ({ faults, seed, run }: Case, problem: string): string =>
  `${describeFaults(run.names, faults)} (seed ${seed}): ${problem}`;
