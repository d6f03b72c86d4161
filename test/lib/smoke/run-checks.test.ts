import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CheckFailure } from '../../../lib/smoke/answers.ts';
import { connect } from '../../../lib/smoke/api.ts';
import { type Check, runChecks, type Series } from '../../../lib/smoke/run-checks.ts';
import { trackTasks } from '../../../lib/smoke/tasks.ts';

const api = connect({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key' }, new AbortController().signal);
const context = { api, tasks: trackTasks(api) };

const runSeries = async (series: readonly Series[]) => {
  const printed: string[] = [];
  const passed = await runChecks({ series, skipped: [] }, context, (line) => printed.push(line));
  return { passed, printed };
};

/** Checks that take several turns of the event loop, and what ran while each of them started. */
const observe = () => {
  const running = new Set<string>();
  const started: (readonly string[])[] = [];
  const check = (name: string, turns: number, images = 0): Check => ({
    name,
    images,
    run: async () => {
      running.add(name);
      started.push([...running]);
      for (let count = 0; count < turns; count += 1) await turn();
      running.delete(name);
    },
  });
  return { started, check };
};

describe('the checks', () => {
  test('run in three series at once, in their order', async () => {
    const { started, check } = observe();
    const { passed } = await runSeries([
      [check('a', 9), check('b', 1)],
      [check('c', 2)],
      [check('d', 5)],
      [check('e', 1)],
      [check('f', 20)],
    ]);
    assert.equal(passed, true);
    assert.deepEqual(started, [
      ['a'],
      ['a', 'c'],
      ['a', 'c', 'd'],
      ['a', 'd', 'e'],
      ['a', 'd', 'f'],
      ['f', 'b'],
    ]);
  });

  test('generate one image at a time, while others run', async () => {
    const { started, check } = observe();
    const images = ['i', 'j', 'k'].map((name) => [check(name, 4, 1)]);
    const others = ['a', 'b', 'c', 'd', 'e'].map((name) => [check(name, 2)]);
    const { passed, printed } = await runSeries([...images, ...others]);
    assert.equal(passed, true);
    assert.match(printed.at(-1) ?? '', /^8 of 8 checks passed/);
    assert.deepEqual(started[2], ['i', 'a', 'b']);
    for (const running of started)
      assert.ok(running.filter((name) => 'ijk'.includes(name)).length <= 1, running.join());
  });

  test('generate the remaining images one after another', async () => {
    const { started, check } = observe();
    const { passed } = await runSeries([
      [check('a', 1)],
      ...['i', 'j', 'k'].map((name) => [check(name, 3, 1)]),
    ]);
    assert.equal(passed, true);
    assert.deepEqual(started, [['a'], ['a', 'i'], ['j'], ['k']]);
  });

  test('end a series that fails, but not the others', async () => {
    const fails: Check = { name: 'a', run: () => Promise.reject(new CheckFailure('expected 1, saw 2')) };
    const { check } = observe();
    const { passed, printed } = await runSeries([[fails, check('b', 1)], [check('c', 1)]]);
    assert.equal(passed, false);
    const plain = printed.map((line) => line.replace(/ {2,}/g, ' ').replace(/\d+(\.\d)? s/, 'N s'));
    assert.deepEqual(plain, [
      'FAILED a N s expected 1, saw 2',
      'not run b an earlier check failed',
      'ok c N s',
      '1 of 3 checks passed in N s',
    ]);
  });
});
