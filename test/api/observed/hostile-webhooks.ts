import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileWebhooks, listenSlowly } from '../../support/hostile-webhooks.ts';
import { longOr } from '../../support/long-tests.ts';
import { until } from '../../support/until.ts';
import { service, WEBHOOK_WORKERS } from './service.ts';

const SLOTS = WEBHOOK_WORKERS / 2;

/** Several times as many as there are slots; each try keeps a worker busy. */
const EVENTS = longOr(4 * SLOTS, 50);
const [ACCOUNTS, ENDPOINTS] = longOr([2, 4], [10, 10]);

const { openHostile, tellAll, openQuick } = hostileWebhooks(service);
const quick = await openQuick();
after(quick.close);

test(`an event overtakes ${EVENTS} events for an endpoint that never answers`, async () => {
  const silent = await listenSlowly();
  after(silent.close);
  await tellAll(await openHostile(1, silent.url, 1), EVENTS);
  await until(() => silent.tries() > 0);
  // Half of a try's ten seconds: no worker that waits for an answer is free again by then.
  await sleep(5000);
  assert.ok(silent.tries() <= SLOTS, `${silent.tries()} tries`);
  await quick.measure(1, 0);
  assert.ok(silent.tries() < EVENTS, `after ${silent.tries()} tries`);
});

/** The bench measures how late they are; here they only have to arrive while the tries are held. */
describe('events of another account arrive', () => {
  test('while accounts stop responding whose endpoints were quick before', async () => {
    let isQuick = true;
    const receiver = await listenSlowly(() => (isQuick ? 0 : undefined));
    after(receiver.close);
    const accounts = await openHostile(1, receiver.url, ENDPOINTS);
    await tellAll(accounts, 1);
    await until(() => receiver.tries() === ENDPOINTS && receiver.open() === 0);
    isQuick = false;
    await tellAll(accounts, longOr(2, 3));
    await until(() => receiver.open() > 0);
    await quick.measure(longOr(5, 10), 50);
    // Tries that are broken off after a second may hold the other workers until then.
    await until(() => receiver.open() <= SLOTS);
  });

  test(`while ${ACCOUNTS} accounts with ${ENDPOINTS} endpoints each never respond`, async () => {
    const silent = await listenSlowly();
    after(silent.close);
    await tellAll(await openHostile(ACCOUNTS, silent.url, ENDPOINTS), 1);
    await until(() => silent.open() > 0);
    await quick.measure(longOr(5, 10), 50);
    assert.ok(silent.most() <= SLOTS, `${silent.most()} tries at once`);
  });
});
