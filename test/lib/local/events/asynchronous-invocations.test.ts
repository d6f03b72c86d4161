import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import {
  AsynchronousInvocations,
  readEventAges,
} from '../../../../lib/local/events/asynchronous-invocations.ts';
import type { InvocationResult } from '../../../../lib/local/functions/function-host.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../../lib/local/template/template.ts';
import { openFixture } from '../fixture/open-fixture.ts';

type Outcome = 'throttled' | 'response' | 'function-error';

/** Delivers one event to a function with these outcomes in virtual time; the last outcome repeats. */
const deliver = async (outcomes: readonly Outcome[], age: number) => {
  let clock = 0;
  const attempts: number[] = [];
  const invoke = async (): Promise<InvocationResult> => {
    const type = outcomes[attempts.length] ?? outcomes.at(-1) ?? assert.fail('no outcome');
    attempts.push(clock / 1000);
    return type === 'throttled' ? { type } : { type, requestId: 'request', payload: 'null' };
  };
  const events = new AsynchronousInvocations({
    functions: { invoke },
    eventAges: new Map([['Sweeper', age]]),
    now: () => clock,
    wait: async (milliseconds) => {
      clock += milliseconds;
    },
  });
  const { type } = await events.invoke('Sweeper', '{}');
  return { type, attempts };
};

const { templateFile } = await openFixture();

describe('an event', () => {
  it('is tried as long as the template allows', async () => {
    const { template } = await readSynthesizedStack({ templateFile });
    const ages = readEventAges(createStack(template, { ...HOME, stackName: 'Fixture' }));
    const named = [...ages].map(([functionId, age]) => [functionId.slice(0, -8), age]);
    assert.deepEqual(named, [['Sweeper', 60]]);
  });

  const throttled = (times: number, last: Outcome): Outcome[] => [...Array(times).fill('throttled'), last];
  for (const [title, outcomes, expected] of [
    ['is delivered once if the function succeeds', ['response'], [0]],
    ['that fails is not retried', ['function-error'], [0]],
    ['is retried with growing delay while it is throttled', throttled(4, 'response'), [0, 1, 3, 7, 15]],
    ['is dropped when it is too old', ['throttled'], [0, 1, 3, 7, 15, 31]],
  ] as const)
    it(title, async () => {
      assert.deepEqual(await deliver(outcomes, 60), { type: outcomes.at(-1), attempts: expected });
    });

  it('is retried at least every 5 minutes', async () => {
    const { attempts } = await deliver(['throttled'], 21_600);
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    assert.equal(Math.max(...pauses), 300);
  });

  it('is dropped when the cloud closes', async () => {
    const events = new AsynchronousInvocations({
      functions: { invoke: async () => ({ type: 'throttled' }) },
      eventAges: new Map([['Sweeper', 60]]),
    });
    const invoked = events.invoke('Sweeper', '{}');
    setImmediate(() => events.close());
    assert.deepEqual(await invoked, { type: 'throttled' });
  });
});
