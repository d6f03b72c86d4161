import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventQueue } from './event-queue.ts';
import { lossesOf } from './losses.ts';
import { readOptions } from './options.ts';
import { report } from './report.ts';
import { type Simulation, simulate } from './run.ts';

const run = (...args: readonly string[]): Promise<Simulation> => {
  const options = readOptions(args);
  assert.ok(options !== undefined);
  return simulate(options);
};

const NOTHING_LOST = {
  missing: 0,
  unfinished: 0,
  uncharged: 0,
  chargedTwice: 0,
  chargedInVain: 0,
  generatedInVain: 0,
  paidAndFailed: 0,
};

describe('a simulated hour of 500 tasks', () => {
  test('completes and charges each of them once', async () => {
    const simulation = await run('--tasks-per-hour', '500', '--upstream-rpm', '500');
    assert.deepEqual(lossesOf(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 500]]);
    assert.equal(simulation.upstream.counts.submits, 500);
    assert.ok(simulation.measured.doneToCompleted.percentile(0.99) < 12_000);
  });

  test('loses nothing when the upstream fails for 20 minutes, and makes up for it', async () => {
    const simulation = await run('--tasks-per-hour', '500', '--outage', '20m');
    assert.deepEqual(lossesOf(simulation), NOTHING_LOST);
    assert.deepEqual([...simulation.measured.outcomes], [['completed', 500]]);
    assert.ok(simulation.upstream.counts.failed > 0);
    const gone = simulation.backlog.goneAfter(simulation.outage);
    assert.ok(gone !== undefined && gone < 15 * 60_000, `the backlog is gone after ${gone} ms`);
  });

  // Past its deadline a task is given up without asking the upstream once more.
  test('fails nothing that was paid for when the upstream is away for 50 minutes', async () => {
    const simulation = await run('--tasks-per-hour', '500', '--outage', '50m');
    assert.deepEqual(lossesOf(simulation), NOTHING_LOST);
  });

  test('obeys an upstream that takes few calls a minute', async () => {
    const simulation = await run('--tasks-per-hour', '500', '--upstream-rpm', '120');
    assert.deepEqual(lossesOf(simulation), NOTHING_LOST);
    assert.ok(simulation.upstream.counts.refused > 0);
    assert.ok(simulation.upstream.counts.busiestMinute <= 120);
  });

  test('lets messages wait when all workers are busy', async () => {
    const simulation = await run('--tasks-per-hour', '5000', '--worker-concurrency', '5');
    assert.equal(simulation.queue.counts.peakWorkers, 5);
    assert.ok(simulation.queue.waits.percentile(0.9) > 0);
    assert.match(report(simulation).join('\n'), /moved by workerConcurrency/);
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
