import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '../../functions/videos/domain/task.ts';
import { EventQueue } from '../support/event-queue.ts';
import { countLosses, measureAmplification, missedGoals, NOTHING_LOST } from './goals.ts';
import { measureLimits } from './limits.ts';
import { readOptions } from './options.ts';
import { report } from './report.ts';
import { simulateWith as run, type Simulation } from './run.ts';

const MINUTE = 60_000;
const OVERLOAD_BY_ONE = '--tasks-per-hour 20000 --load 6m --noisy 95 --max-queue 3m'.split(' ');
const OVERLOAD = ['--tasks-per-hour', '20000', '--load', '3m'] as const;

/**
 * All of them before the first test: from then on the test runner follows every promise, which takes as long again. It
 * does so from the start in a group of several files, so this one is alone.
 */
const SIMULATIONS = {
  plain: await run('--tasks-per-hour', '500', '--load', '12m', '--upstream-rpm', '500'),
  outage: await run('--tasks-per-hour', '250', '--outage', '20m'),
  longOutage: await run('--tasks-per-hour', '250', '--outage', '50m'),
  fewCalls: await run('--tasks-per-hour', '500', '--upstream-rpm', '120'),
  fewWorkers: await run('--tasks-per-hour', '5000', '--load', '6m', '--worker-concurrency', '5'),
  overloaded: await run(...OVERLOAD),
  overloadedWithOutage: await run('--tasks-per-hour', '10000', '--load', '6m', '--outage', '2m'),
  overloadedWithLosses: await run(...OVERLOAD, '--lose', '1'),
  overloadedByOne: await run(...OVERLOAD_BY_ONE),
  losses: await run('--tasks-per-hour', '300', '--lose', '1'),
};

/** Many workers compete for few submits. */
const LINE = await run(
  ...['--tasks-per-hour', '54000', '--load', '1m', '--accounts', '1', '--generation', '20s'],
  ...['--later', '100', '--later-after', '10m', '--submits-per-minute', '10'],
  ...['--worker-concurrency', '50'],
);
const TOO_MANY = await run(
  ...['--tasks-per-hour', '24000', '--load', '1m', '--generation', '11s', '--submits-per-minute', '1'],
);
const PLACES = await run(
  ...['--tasks-per-hour', '18000', '--load', '1m', '--videos-at-once', '20', '--submits-per-minute', '20'],
  ...['--worker-concurrency', '10'],
);

describe('a service that can do all of its tasks', () => {
  test('completes and charges each of them once', () => {
    const simulation = SIMULATIONS.plain;
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 100]]);
    assert.equal(simulation.upstream.counts.submits, 100);
    assert.ok(simulation.measured.doneToCompleted.percentile(0.99) < 12_000);
    assert.equal(simulation.measured.events.get('task waits in line'), undefined);
  });

  // An item above 1 KB costs two units with each write, and two more in the list of its account.
  test('writes the item of a task while it is small', () => {
    const { writeUnitsPerTask } = measureAmplification(SIMULATIONS.plain);
    assert.ok(writeUnitsPerTask <= 28, `${writeUnitsPerTask} write units a task`);
  });

  test('loses nothing when the upstream fails for 20 minutes, and makes up for it', () => {
    const simulation = SIMULATIONS.outage;
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 250]]);
    assert.ok(simulation.upstream.counts.failed > 0);
    const gone = simulation.backlog.goneAfter(simulation.outage);
    assert.ok(gone !== undefined && gone < 15 * 60_000, `the backlog is gone after ${gone} ms`);
  });

  // Past its deadline a task is given up without asking the upstream once more.
  test('fails nothing that was paid for when the upstream is away for 50 minutes', () => {
    assert.deepEqual(countLosses(SIMULATIONS.longOutage), NOTHING_LOST);
  });

  test('obeys an upstream that takes few calls a minute', () => {
    const simulation = SIMULATIONS.fewCalls;
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.ok(simulation.upstream.counts.refused > 0);
    assert.ok(simulation.upstream.counts.busiestMinute <= 120);
  });

  test('lets messages wait when all workers are busy', () => {
    const simulation = SIMULATIONS.fewWorkers;
    assert.equal(simulation.queue.counts.peakWorkers, 5);
    assert.ok(simulation.queue.waits.percentile(0.9) > 0);
    assert.match(report(simulation).join('\n'), /moved by workerConcurrency/);
  });
});

describe('ten times as many tasks as the workers can do, for some minutes', () => {
  const MOST_TIMES = 1.5;

  for (const [title, simulation] of [
    ['', SIMULATIONS.overloaded],
    ['with an outage of 2 minutes', SIMULATIONS.overloadedWithOutage],
  ] as const)
    test(`keep the workers busy, and are fetched soon after they are done ${title}`, () => {
      assert.deepEqual(missedGoals(simulation), []);
      assert.deepEqual([...simulation.measured.outcomes], [['completed', 1000]]);
    });

  test('wait without messages, and cost few more writes than tasks without a backlog', () => {
    const { plain, overloaded } = SIMULATIONS;
    assert.ok(overloaded.queue.counts.mostHeld < overloaded.backlog.largest / 3);
    const [few, many] = [plain, overloaded].map((one) => measureAmplification(one).writeUnitsPerTask);
    assert.ok((many ?? 0) <= (few ?? 0) * MOST_TIMES, `${many} instead of ${few} write units a task`);
  });

  test('lose nothing although one in a hundred messages gets lost', () => {
    const overloaded = SIMULATIONS.overloadedWithLosses;
    assert.deepEqual(countLosses(overloaded), NOTHING_LOST);
    assert.ok(overloaded.queue.counts.lost > 0);
    assert.ok(measureAmplification(overloaded).messagesPerTask <= MOST_TIMES);
  });

  test('are refused for the account that they come from, and not for the others', () => {
    const { measured } = SIMULATIONS.overloadedByOne;
    assert.deepEqual([...measured.refusals.keys()], ['account-0']);
    assert.ok(measured.refused > 100, `${measured.refused} creates are refused`);
    // Three minutes are the limit, and two pass until creates know of the line.
    const longest = measured.untilSubmitted.percentile(1);
    assert.ok(longest < 12 * MINUTE, `a video waits for ${longest} ms`);
  });
});

describe('on a queue that is not busy', () => {
  test('a lost message is found within five minutes', () => {
    const { measured, queue } = SIMULATIONS.losses;
    assert.deepEqual([...measured.outcomes], [['completed', 300]]);
    assert.ok(queue.counts.lost > 20, `${queue.counts.lost} messages are lost`);
    assert.ok(measured.untilSubmitted.percentile(1) < 5 * MINUTE);
  });
});

const ARRIVAL = 10 * MINUTE;

const waits = (tasks: readonly Task[]): readonly number[] =>
  tasks
    .map(({ submittedAt, createdAt }) => (submittedAt ?? Number.POSITIVE_INFINITY) - createdAt)
    .toSorted((one, other) => one - other);

const median = (values: readonly number[]): number => values[Math.floor(values.length / 2)] ?? 0;

const byAccount = ({ tasks }: Simulation, account: string): readonly Task[] =>
  tasks.all().filter((task) => task.account === account);

describe('1,000 tasks of two accounts against 10 submits per minute', () => {
  const simulation = LINE;
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
  test('use its places while tasks wait', (t) => {
    const simulation = PLACES;
    const { average: taken = 0, most } = simulation.places;
    const { messagesPerTask } = measureLimits(simulation);
    t.diagnostic(`${taken.toFixed(1)} places taken, ${messagesPerTask.toFixed(2)} messages a task`);
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 300]]);
    assert.ok(taken >= 18 && most <= 20, `${taken} places are taken, ${most} at most`);
    assert.ok(messagesPerTask <= 3, `${messagesPerTask} messages a task`);
  });
});

describe('the event queue', () => {
  test('gives what it holds in the order of time, then of coming', () => {
    const queue = new EventQueue();
    const times = Array.from({ length: 500 }, (_, order) => (order * 7919) % 97);
    for (const [order, at] of times.entries()) queue.push({ at, order, run: () => {} });
    const given = Array.from(times, () => queue.pop()).map((one) => [one?.at, one?.order]);
    const expected = times
      .map((at, order) => [at, order] as const)
      .toSorted(([one, first], [other, second]) => one - other || first - second);
    assert.deepEqual(given, expected);
    assert.equal(queue.pop(), undefined);
  });
});

describe('the options of the simulation', () => {
  const WRONG = [
    [[], /--tasks-per-hour is missing/],
    [['--tasks-per-hour', 'many'], /--tasks-per-hour takes a whole number/],
    [['--tasks-per-hour', '1', '--generation', '60'], /--generation takes a time such as 60s/],
    [['--tasks-per-hour', '1', '--worker-concurrency', '1'], /--worker-concurrency .* from 2 on/],
    [['--colour'], /--colour.*; --help lists the options/],
  ] as const;
  for (const [args, sentence] of WRONG)
    test(`are refused in one sentence: ${args.join(' ') || 'none'}`, () => {
      assert.throws(() => readOptions(args), sentence);
    });
});
