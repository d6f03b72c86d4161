import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventQueue } from '../support/event-queue.ts';
import { measureAmplification, overusedKeys } from './amplification.ts';
import { countLosses, NOTHING_LOST } from './losses.ts';
import { readOptions } from './options.ts';
import { report } from './report.ts';
import { simulateWith as run } from './run.ts';

const MINUTE = 60_000;
const OVERLOAD = ['--tasks-per-hour', '20000', '--load', '6m'] as const;

/** All of them before the first test: from then on the test runner follows every promise, which takes as long again. */
const SIMULATIONS = {
  plain: await run('--tasks-per-hour', '500', '--upstream-rpm', '500'),
  outage: await run('--tasks-per-hour', '500', '--outage', '20m'),
  longOutage: await run('--tasks-per-hour', '500', '--outage', '50m'),
  fewCalls: await run('--tasks-per-hour', '500', '--upstream-rpm', '120'),
  fewWorkers: await run('--tasks-per-hour', '5000', '--load', '12m', '--worker-concurrency', '5'),
  short: await run('--tasks-per-hour', '500', '--load', '12m'),
  overloaded: await run(...OVERLOAD),
  overloadedWithLosses: await run(...OVERLOAD, '--lose', '1'),
  overloadedByOne: await run(...OVERLOAD, '--noisy', '95', '--max-queue', '3m'),
  losses: await run('--tasks-per-hour', '300', '--lose', '1'),
};

describe('a simulated hour of 500 tasks', () => {
  test('completes and charges each of them once', () => {
    const simulation = SIMULATIONS.plain;
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 500]]);
    assert.equal(simulation.upstream.counts.submits, 500);
    assert.ok(simulation.measured.doneToCompleted.percentile(0.99) < 12_000);
  });

  test('loses nothing when the upstream fails for 20 minutes, and makes up for it', () => {
    const simulation = SIMULATIONS.outage;
    assert.deepEqual(countLosses(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 500]]);
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

describe('ten times as many tasks as the workers can do, for six minutes', () => {
  const MOST_TIMES = 1.5;

  test('lose nothing, and cost no more messages and writes than tasks without a backlog', () => {
    const { short, overloaded } = SIMULATIONS;
    assert.deepEqual(countLosses(overloaded), NOTHING_LOST);
    assert.deepEqual([...overloaded.measured.outcomes], [['completed', 2000]]);
    assert.ok(overloaded.queue.waits.percentile(0.5) > 10 * MINUTE);
    const { messagesPerTask, heldPerTask, writeUnitsPerTask } = measureAmplification(overloaded);
    assert.ok(messagesPerTask <= MOST_TIMES, `${messagesPerTask} messages a task`);
    assert.ok(heldPerTask <= MOST_TIMES, `${heldPerTask} messages at once a task`);
    const times = writeUnitsPerTask / measureAmplification(short).writeUnitsPerTask;
    assert.ok(times <= MOST_TIMES, `${times} times the writes`);
    assert.deepEqual(overusedKeys(overloaded), []);
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
