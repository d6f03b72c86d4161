import { type Case, describeCase, pairedFaults, singleFaults } from './matrix.ts';
import { POOL_SCENARIOS } from './pool-scenarios.ts';
import { type Run, runScenario } from './run-scenario.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

export const ALL_SCENARIOS: readonly Scenario[] = [...SCENARIOS, ...POOL_SCENARIOS];

/** One fault may make a task late by a claim, a sweep and what they wait for, and no more. */
const LONGEST_DELAY = 6 * 60_000;

/** The result of all runs of a scenario. */
export type Report = {
  readonly base: Pick<Run, 'outcomes' | 'violations'>;
  readonly singles: { readonly count: number; readonly latest: number; readonly problems: readonly string[] };
  readonly pairs: { readonly count: number; readonly problems: readonly string[] };
};

const collect = async (cases: AsyncIterable<Case>): Promise<Case[]> => {
  const collected: Case[] = [];
  for await (const one of cases) collected.push(one);
  return collected;
};

const findProblems = (cases: readonly Case[], judge: (run: Run) => readonly string[]): string[] =>
  cases.flatMap((one) => judge(one.run).map((problem) => describeCase(one, problem)));

export const reportOn = async (scenario: Scenario, pairCount: number, seed: number): Promise<Report> => {
  const base = await runScenario(scenario, [], seed);
  const singles = await collect(singleFaults(scenario, seed));
  const pairs = await collect(
    pairedFaults(scenario, singles, Math.min(scenario.sample ?? pairCount, pairCount), seed),
  );
  const { outcome: wanted = 'completed' } = scenario;
  const toDelay = ({ lastEnd }: Run): number => lastEnd - base.lastEnd;
  return {
    base: { outcomes: base.outcomes, violations: base.violations },
    singles: {
      count: singles.length,
      latest: Math.max(...singles.map(({ run }) => toDelay(run))),
      problems: findProblems(singles, (run) => [
        ...run.violations,
        ...run.outcomes
          .filter((outcome) => outcome !== wanted && !scenario.otherOutcomes?.includes(outcome))
          .map((outcome) => `ended as ${outcome}`),
        ...(toDelay(run) > (scenario.longestDelay ?? LONGEST_DELAY) ? [`ended ${toDelay(run)} ms late`] : []),
      ]),
    },
    pairs: { count: pairs.length, problems: findProblems(pairs, ({ violations }) => violations) },
  };
};
