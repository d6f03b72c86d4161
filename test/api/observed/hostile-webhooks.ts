import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { hostileWebhooks, listenSlowly } from '../../support/hostile-webhooks.ts';
import { openOwnService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';

const SLOTS = TEST_CONFIG.webhookConcurrency / 2;

const service = await openOwnService();
const { openHostile, tellAll, openQuick } = hostileWebhooks(service);
const quick = await openQuick();
after(quick.close);

/** The bench measures how late they are; here they only have to arrive while the tries are held. */
describe('events of another account arrive', () => {
  test('while accounts stop responding whose endpoints were quick before', async () => {
    let isQuick = true;
    const receiver = await listenSlowly(() => (isQuick ? 0 : undefined));
    after(receiver.close);
    const accounts = await openHostile(1, receiver.url);
    await tellAll(accounts, 1);
    await until(() => receiver.tries() === 10 && receiver.open() === 0);
    isQuick = false;
    await tellAll(accounts, 3);
    await until(() => receiver.open() > 0);
    await quick.measure(10, 50);
    // Tries that are broken off after a second may hold the other workers until then.
    await until(() => receiver.open() <= SLOTS);
  });

  test('while ten accounts with ten endpoints each never respond', async () => {
    const silent = await listenSlowly();
    after(silent.close);
    await tellAll(await openHostile(10, silent.url), 1);
    await until(() => silent.open() > 0);
    await quick.measure(10, 50);
    assert.ok(silent.most() <= SLOTS, `${silent.most()} tries at once`);
  });
});
