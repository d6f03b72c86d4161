import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Case, describeCase, pairedFaults, singleFaults } from './matrix.ts';
import { runScenario } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const PAIRS = Number(process.env.FAULT_PAIRS ?? 150);
const SHOWN = 10;

/** One fault may make a task late by a claim, a sweep and what they wait for, and no more. */
const LONGEST_DELAY = 6 * 60_000;

const collect = async (cases: AsyncIterable<Case>): Promise<Case[]> => {
  const collected: Case[] = [];
  for await (const one of cases) collected.push(one);
  return collected;
};

const problemsOf = (cases: readonly Case[], judge: (one: Case) => readonly string[]): string[] =>
  cases.flatMap((one) => judge(one).map((problem) => describeCase(one, problem)));

const report = (problems: readonly string[]): string =>
  [`${problems.length} problems:`, ...problems.slice(0, SHOWN)].join('\n');

describe(`faults, seed ${SEED} (set FAULT_SEED to run it again)`, () => {
  for (const scenario of SCENARIOS) {
    const singles: Case[] = [];

    test(`${scenario.name}: ends as ${scenario.outcome} when nothing else goes wrong`, async () => {
      const { outcomes, violations } = await runScenario(scenario, [], SEED);
      assert.deepEqual(outcomes, [scenario.outcome]);
      assert.deepEqual(violations, []);
    });

    test(`${scenario.name}: no single fault breaks a promise, or changes how a task ends`, async (t) => {
      const { lastEnd } = await runScenario(scenario, [], SEED);
      singles.push(...(await collect(singleFaults(scenario, SEED))));
      const delays = singles.map(({ run }) => run.lastEnd - lastEnd);
      t.diagnostic(`${singles.length} cases, the latest task ${Math.max(...delays) / 1000} s late`);
      const problems = problemsOf(singles, ({ run }) => [
        ...run.violations,
        ...run.outcomes.filter((outcome) => outcome !== scenario.outcome),
        ...(run.lastEnd > lastEnd + LONGEST_DELAY ? [`ended ${run.lastEnd - lastEnd} ms late`] : []),
      ]);
      assert.ok(problems.length === 0, report(problems));
    });

    test(`${scenario.name}: no sampled pair of faults breaks a promise`, async (t) => {
      const pairs = await collect(pairedFaults(scenario, singles, scenario.sample ?? PAIRS, SEED));
      t.diagnostic(`${pairs.length} cases`);
      const problems = problemsOf(pairs, ({ run }) => run.violations);
      assert.ok(problems.length === 0, report(problems));
    });
  }
});
