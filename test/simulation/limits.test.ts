import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../functions/videos/domain/task.ts';
import { measureLimits } from './limits.ts';
import { countLosses, NOTHING_LOST } from './losses.ts';
import { type Simulation, simulateWith } from './run.ts';

const MINUTE = 60_000;
const ARRIVAL = 10 * MINUTE;

const waits = (tasks: readonly Task[]): readonly number[] =>
  tasks
    .map(({ submittedAt, createdAt }) => (submittedAt ?? Number.POSITIVE_INFINITY) - createdAt)
    .toSorted((one, other) => one - other);

const median = (values: readonly number[]): number => values[Math.floor(values.length / 2)] ?? 0;

const byAccount = ({ tasks }: Simulation, account: string): readonly Task[] =>
  tasks.all().filter((task) => task.account === account);

/** All simulations before the first test: from then on the test runner follows every promise, which takes as long again. */
const simulateLine = (workers: string): Promise<Simulation> =>
  simulateWith(
    ...['--tasks-per-hour', '54000', '--load', '1m', '--accounts', '1', '--generation', '20s'],
    ...['--later', '100', '--later-after', '10m', '--submits-per-minute', '10'],
    ...['--worker-concurrency', workers],
  );
/** Few workers share the calls, or many compete for them. */
const LINES = [
  ['2', await simulateLine('2')],
  ['50', await simulateLine('50')],
] as const;
const TOO_MANY = await simulateWith(
  ...['--tasks-per-hour', '24000', '--load', '1m', '--generation', '11s', '--submits-per-minute', '1'],
);
const simulatePlaces = (...options: readonly string[]): Promise<Simulation> =>
  simulateWith(
    ...['--tasks-per-hour', '18000', '--load', '1m', '--videos-at-once', '20', ...options],
    ...['--worker-concurrency', '10'],
  );
const PLACES = [
  ['', await simulatePlaces()],
  ['--submits-per-minute 20', await simulatePlaces('--submits-per-minute', '20')],
] as const;

for (const [workers, simulation] of LINES)
  describe(`1,000 tasks of two accounts against 10 submits per minute, with ${workers} workers`, () => {
    const { mostInAMinute, perMinute, messagesPerTask, runsPerTask } = measureLimits(simulation);

    test('all complete, and none is lost or charged twice', () => {
      assert.deepEqual([...simulation.measured.outcomes], [['completed', 1000]]);
      assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    });

    test('reach the upstream at its limit, and never above it', (t) => {
      t.diagnostic(`${perMinute.toFixed(2)} submits a minute, ${mostInAMinute} at most`);
      assert.equal(mostInAMinute, 10);
      assert.equal(simulation.upstream.counts.refused, 0);
      assert.ok(perMinute >= 9.5, `${perMinute} submits a minute`);
    });

    test('cost few messages and runs of the worker', (t) => {
      t.diagnostic(`${messagesPerTask.toFixed(2)} messages and ${runsPerTask.toFixed(2)} runs a task`);
      assert.ok(messagesPerTask <= 2.5, `${messagesPerTask} messages a task`);
      assert.ok(runsPerTask <= 2.5, `${runsPerTask} runs a task`);
    });

    test('take turns, so that the later account does not wait for the 900 of the other', (t) => {
      const later = waits(byAccount(simulation, 'later'));
      t.diagnostic(`half of the later account's tasks wait for less than ${median(later) / MINUTE} minutes`);
      // Its 100 tasks share 10 submits per minute with the other account.
      assert.ok((later[0] ?? 0) < 2 * MINUTE, `the first waits for ${later[0]} ms`);
      assert.ok((later.at(-1) ?? 0) < 23 * MINUTE, `the last waits for ${later.at(-1)} ms`);
      const others = byAccount(simulation, 'account-0').filter(
        ({ submittedAt = 0 }) =>
          submittedAt > ARRIVAL + MINUTE && submittedAt < ARRIVAL + MINUTE + (later.at(-1) ?? 0),
      );
      assert.ok(others.length > 80 && others.length < 120, `${others.length} of the others come meanwhile`);
    });
  });

describe('more tasks than an upstream takes in six hours', () => {
  test('are submitted as long as they can, and then fail with queue_timeout', () => {
    const simulation = TOO_MANY;
    const { measured } = simulation;
    const completed = measured.outcomes.get('completed') ?? 0;
    assert.deepEqual([...measured.outcomes.keys()].toSorted(), ['completed', 'queue_timeout']);
    assert.ok(completed >= 345 && completed <= 361, `${completed} tasks are completed`);
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.equal(measureLimits(simulation).mostInAMinute, 1);
    const late = simulation.tasks
      .all()
      .filter(({ failedAt = 0, createdAt }) => failedAt - createdAt > 362 * MINUTE);
    assert.deepEqual(late, []);
  });
});

describe('300 tasks at an upstream that generates 20 videos at once', () => {
  for (const [options, simulation] of PLACES)
    test(`use its places while tasks wait ${options}`, (t) => {
      const { averageTaken, averageGenerating, mostTaken } = simulation.places;
      const { messagesPerTask } = measureLimits(simulation);
      t.diagnostic(
        `${averageTaken.toFixed(1)} places taken, ${averageGenerating.toFixed(1)} generations under way, ${messagesPerTask.toFixed(2)} messages a task`,
      );
      assert.deepEqual(countLosses(simulation), NOTHING_LOST);
      assert.deepEqual([...simulation.measured.outcomes], [['completed', 300]]);
      assert.ok(averageTaken >= 18, `${averageTaken} places are taken`);
      assert.ok(mostTaken <= 20, `${mostTaken} places are taken`);
      assert.ok(messagesPerTask <= 3, `${messagesPerTask} messages a task`);
    });
});
