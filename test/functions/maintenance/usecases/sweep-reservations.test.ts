import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Limits } from '../../../../functions/billing/domain/limits.ts';
import { reserve } from '../../../../functions/billing/domain/reserve.ts';
import { sweepReservations } from '../../../../functions/maintenance/usecases/sweep-reservations.ts';
import type { WebhookMessage } from '../../../../functions/webhooks/domain/webhook-stores.ts';
import { buildLimiter } from '../../../support/builders/limiter.ts';
import { aTask } from '../../../support/builders/task.ts';
import { accountsPort, MemoryAccounts } from '../../../support/in-memory/accounts.ts';

const CALLER = { account: 'account', keyId: 'key' };
const NO_CHARGE = { seconds: 4, unitPrice: null, amount: null, currency: null };
const LAST_MINUTE = Date.UTC(2026, 11, 31, 23, 59, 48);

const world = (limits: Partial<Limits>, start = LAST_MINUTE) => {
  const accounts = new MemoryAccounts();
  const state = { now: start };
  const limiter = buildLimiter(limits, accountsPort(accounts), () => state.now);
  const ask = (amount: string, taskId: string, kind: 'videos' | 'images' = 'videos') =>
    reserve(limiter, CALLER, { kind, taskId, what: 'a model', amount });
  const logged: unknown[] = [];
  /** Returns the lines that it logs. */
  const sweep = async (change: Partial<Parameters<typeof sweepReservations>[0]> = {}) => {
    logged.length = 0;
    await sweepReservations({
      accounts: accountsPort(accounts),
      tasks: { find: assert.fail },
      webhooks: { send: assert.fail },
      logger: {
        info: (...line) => void logged.push(line),
        error: (event, _, fields) => void logged.push([event, fields]),
      },
      now: () => state.now,
      stopAt: Number.POSITIVE_INFINITY,
      ...change,
    });
    return logged.slice();
  };
  return { accounts, state, ask, sweep };
};

describe('the sweeper', () => {
  test('checks a reservation of a task when it is due and an hour later', async () => {
    const { ask, state, accounts, sweep } = world({ monthlyBudget: '5' });
    const made = await ask('1.50', 'task');
    const asked: number[] = [];
    const find = async () => {
      asked.push(state.now);
      return { ...aTask(), reservation: made && { ...made.reservation, charge: NO_CHARGE } };
    };
    const start = state.now;
    for (let minute = 1; minute < 65; minute += 1) {
      state.now = start + minute * 60_000;
      assert.deepEqual(await sweep({ tasks: { find } }), []);
    }
    const minutes = asked.map((time) => (time - start) / 60_000);
    assert.deepEqual(minutes, [2, 62]);
    assert.equal(accounts.reservations().length, 1);
  });
});

describe('a reservation without a task', () => {
  const AGES: readonly (readonly [kind: 'videos' | 'images', age: number, released: boolean])[] = [
    ['videos', 119_999, false],
    ['videos', 120_000, true],
    ['images', 359_999, false],
    ['images', 360_000, true],
  ];
  for (const [kind, age, released] of AGES)
    test(`of ${kind} is ${released ? 'released' : 'kept'} at an age of ${age} ms`, async () => {
      const { ask, state, accounts, sweep } = world({ monthlyBudget: '5' });
      await ask('1.50', 'task', kind);
      state.now += age;
      await sweep({ tasks: { find: async () => undefined } });
      assert.equal(accounts.reservations().length, released ? 0 : 1);
    });
});

test('reservations that are released are counted, and failures do not stop the others', async () => {
  const { ask, state, accounts, sweep } = world({ monthlyBudget: '5' });
  await ask('1', 'first', 'images');
  await ask('1', 'second', 'images');
  state.now += 360_000;
  const port = accountsPort(accounts);
  const [broken] = accounts.reservations();
  const release: typeof port.release = (reservation, at) =>
    reservation.id === broken?.id ? Promise.reject(new Error('no table')) : port.release(reservation, at);
  assert.deepEqual(await sweep({ accounts: { ...port, release } }), [
    ['reservation not released', { account: 'account', reservation: broken?.id }],
    ['orphaned reservations released', { released: 1 }],
  ]);
});

describe('an account that reaches 80 % of its budget', () => {
  const LOGGED = ['budget event sent', { account: 'account', month: '2026-12', threshold: 80 }];
  const receiver = () => {
    const sent: WebhookMessage[] = [];
    const send = async (message: WebhookMessage, delay: number) => {
      assert.equal(delay, 0);
      sent.push(message);
    };
    return { sent, webhooks: { send } };
  };

  test('has one event, with the amounts of that moment', async () => {
    const { ask, sweep } = world({ monthlyBudget: '5' });
    await ask('4.10', 'first');
    await ask('0.40', 'second');
    const { sent, webhooks } = receiver();
    assert.deepEqual([await sweep({ webhooks }), await sweep({ webhooks })], [[LOGGED], []]);
    const [message] = sent;
    assert.ok(message?.kind === 'event' && sent.length === 1);
    const { id, ...event } = message.event;
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.deepEqual(event, {
      type: 'budget.threshold_reached',
      createdAt: LAST_MINUTE,
      account: 'account',
      budget: { month: '2026-12', threshold: 80, used: '4.10', limit: '5', currency: 'USD' },
    });
  });

  test('has its event sent by a later run if the queue refuses it, or time runs out', async () => {
    const { ask, sweep, state, accounts } = world({ monthlyBudget: '5' });
    await ask('4', 'first');
    const refuse = () => Promise.reject(new Error('no'));
    const events = async (...given: Parameters<typeof sweep>) =>
      (await sweep(...given)).map((line) => Object(line)[0]);
    assert.deepEqual(await events({ webhooks: { send: refuse } }), ['budget event not sent']);
    assert.deepEqual(await events({ stopAt: state.now }), []);
    const failing = { ...accountsPort(accounts), removeNotice: refuse };
    const { sent, webhooks } = receiver();
    assert.deepEqual(await events({ accounts: failing, webhooks }), ['budget event not sent']);
    assert.deepEqual(await sweep({ webhooks }), [LOGGED]);
    assert.deepEqual([sent.length, accounts.notices()], [2, []]);
  });
});
