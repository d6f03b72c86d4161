import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { longOr } from '../support/long-tests.ts';
import { POOL_SCENARIOS } from './pool-scenarios.ts';
import { ALL_SCENARIOS, type Report } from './report.ts';
import { runScenario } from './run-scenario.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20_261_115);
/** With LONG_TESTS set, more of the pairs, which are too many to try them all. */
const PAIRS = Number(process.env.FAULT_PAIRS ?? longOr(3, 500));
const SHOWN = 10;
const THREADS = 1;

/** Each thread takes one scenario after another: to start one for every scenario would cost as much as to run them. */
const idle = Array.from(
  { length: THREADS },
  () =>
    new Worker(new URL('./report-worker.ts', import.meta.url), { workerData: { pairs: PAIRS, seed: SEED } }),
);
after(() => Promise.all(idle.map((thread) => thread.terminate())));

const reportOn = async (name: string): Promise<Report> => {
  const thread = idle.pop();
  if (thread === undefined) throw new Error('no thread is left: another scenario has ended its own');
  thread.postMessage(name);
  const [report] = await once(thread, 'message');
  idle.push(thread);
  return report;
};

const assertNone = (problems: readonly string[]): void =>
  assert.ok(problems.length === 0, [`${problems.length} problems:`, ...problems.slice(0, SHOWN)].join('\n'));

describe(`faults, seed ${SEED} (set FAULT_SEED to run it again)`, { concurrency: THREADS }, () => {
  for (const { name, outcome = 'completed', otherOutcomes = [], outcomes = 1 } of ALL_SCENARIOS)
    test(name, async (t) => {
      const { base, singles, pairs } = await reportOn(name);
      t.diagnostic(`${singles.count} single faults, the latest task ${singles.latest / 1000} s late`);
      t.diagnostic(`${pairs.count} sampled pairs of faults`);

      const wanted = [outcome, ...otherOutcomes];
      await t.test(`ends as ${wanted.join(' or ')} when nothing else goes wrong`, () => {
        assert.deepEqual([base.outcomes.length, base.violations], [outcomes, []]);
        for (const ended of base.outcomes) assert.ok(wanted.includes(ended), ended);
      });
      await t.test('no single fault breaks a promise, or changes how a task ends', () => {
        assertNone(singles.problems);
      });
      await t.test('no sampled pair of faults breaks a promise', () => assertNone(pairs.problems));
    });
});

test('the scenarios make every call of the pool and of the line', async () => {
  const names = new Set<string>();
  for (const scenario of POOL_SCENARIOS)
    for (const name of (await runScenario(scenario, [], SEED)).names) names.add(name);
  const calls = [
    'tasks.advanceWithPlace',
    ...['read', 'coolDown', 'addFailure', 'clearFailures', 'claimProbe', 'addCounts'].map(
      (call) => `pool.${call}`,
    ),
    ...['ticket', 'hold', 'waiting', 'call', 'advance'].map((call) => `line.${call}`),
  ];
  assert.deepEqual(
    calls.filter((name) => !names.has(name)),
    [],
  );
});
