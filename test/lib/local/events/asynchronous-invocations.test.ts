import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import {
  AsynchronousInvocations,
  readRetryPolicies,
} from '../../../../lib/local/events/asynchronous-invocations.ts';
import type { InvocationResult } from '../../../../lib/local/functions/function-host.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../../lib/local/template/template.ts';
import { openFixture } from '../fixture/open-fixture.ts';

type Outcome = 'throttled' | 'response' | 'function-error';
type Policy = { readonly MaximumEventAgeInSeconds: number; readonly MaximumRetryAttempts: number };

const result = (type: Outcome): InvocationResult =>
  type === 'throttled' ? { type } : { type, requestId: 'request', payload: 'null' };

/** Delivers one event to a function with these outcomes in virtual time; the last outcome repeats. */
const deliver = async (outcomes: readonly Outcome[], policy?: Policy) => {
  let clock = 0;
  const attempts: number[] = [];
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const events = new AsynchronousInvocations({
    functions: {
      invoke: async () => {
        const outcome = outcomes[attempts.length] ?? outcomes.at(-1) ?? assert.fail('no outcome');
        attempts.push(clock / 1000);
        return result(outcome);
      },
    },
    policies: new Map(policy === undefined ? [] : [['Sweeper', policy]]),
    now: () => clock,
    wait: async (milliseconds) => {
      clock += milliseconds;
    },
  });
  const { type } = await events.invoke('Sweeper', '{}');
  // In virtual time, background retries are delayed only by microtasks.
  setImmediate(settle);
  await settled;
  return { type, attempts };
};

const { templateFile } = await openFixture();

describe('the retries of events', () => {
  it('are configured by function in the template', async () => {
    const { template } = await readSynthesizedStack({ templateFile });
    const stack = createStack(template, { ...HOME, stackName: 'Fixture' });
    const policies = [...readRetryPolicies(stack)].map(
      ([functionId, { MaximumEventAgeInSeconds: age, MaximumRetryAttempts: attempts }]) =>
        [functionId.slice(0, -8), age, attempts] as const,
    );
    assert.deepEqual(policies, [['Sweeper', 60, 0]]);
  });
});

describe('an event', () => {
  it('is delivered once if the function succeeds', async () => {
    assert.deepEqual(await deliver(['response']), { type: 'response', attempts: [0] });
  });

  it('is retried after 1 second and then with growing delay while the function is throttled', async () => {
    assert.deepEqual(await deliver(['throttled', 'throttled', 'throttled', 'throttled', 'response']), {
      type: 'response',
      attempts: [0, 1, 3, 7, 15],
    });
  });

  it('is retried at least every 5 minutes and dropped after 6 hours', async () => {
    const { type, attempts } = await deliver(['throttled']);
    assert.equal(type, 'throttled');
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    assert.equal(Math.max(...pauses), 300);
    const last = attempts.at(-1) ?? 0;
    assert.ok(last <= 21_600 && last > 21_600 - 300, `the last attempt is after ${last} s`);
  });

  it('is dropped earlier if the function has a maximum event age', async () => {
    const policy = { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 };
    assert.deepEqual(await deliver(['throttled'], policy), {
      type: 'throttled',
      attempts: [0, 1, 3, 7, 15, 31],
    });
  });

  it('that fails is retried after one minute and after another two', async () => {
    assert.deepEqual(await deliver(['function-error']), { type: 'function-error', attempts: [0, 60, 180] });
    assert.deepEqual(await deliver(['function-error', 'response']), {
      type: 'function-error',
      attempts: [0, 60],
    });
  });

  it('that fails is not retried if the function allows no retries', async () => {
    const policy = { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 };
    assert.deepEqual((await deliver(['function-error'], policy)).attempts, [0]);
  });

  it('is dropped when the cloud closes', async () => {
    const events = new AsynchronousInvocations({
      functions: { invoke: async () => result('throttled') },
      policies: new Map(),
    });
    const invoked = events.invoke('Sweeper', '{}');
    setImmediate(() => events.close());
    assert.deepEqual(await invoked, { type: 'throttled' });
  });
});
