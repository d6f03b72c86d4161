import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { hostileWebhooks, listenSlowly } from '../../support/hostile-webhooks.ts';
import { openOwnService } from '../../support/open-service.ts';
import { until } from '../../support/until.ts';

/** The bench measures the delay on a quiet machine; here it only has to stay far below the ten seconds of a try. */
const MOST_SECONDS = 6;
const SLOTS = TEST_CONFIG.webhookConcurrency / 2;

const service = await openOwnService();
const { openHostile, tellAll, openQuick } = hostileWebhooks(service);
const quick = await openQuick();
after(quick.close);

/** The process of a worker takes a second to start, which is not what these tests are about. */
await quick.measure(20, 0);

describe('events of another account arrive', () => {
  test('while accounts stop responding whose endpoints were quick before', async (t) => {
    let isQuick = true;
    const receiver = await listenSlowly(() => (isQuick ? 0 : undefined));
    t.after(receiver.close);
    const accounts = await openHostile(2, receiver.url);
    await tellAll(accounts, 1);
    await until(() => receiver.tries() === 20);
    await until(() => receiver.open() === 0);
    isQuick = false;
    await tellAll(accounts, 3);
    const delays = await quick.measure(30, 100);
    // Tries that are broken off after a second may hold the other workers until then.
    await until(() => receiver.open() <= SLOTS);
    t.diagnostic(`${Math.max(...delays)} s at most; ${receiver.most()} tries held a worker at once`);
    assert.ok(Math.max(...delays) < MOST_SECONDS, `${Math.max(...delays)} s`);
  });

  for (const [accounts, events] of [
    [1, 12],
    [10, 3],
  ] as const)
    test(`while ${accounts} accounts with ten endpoints each that never respond have ${events} events`, async (t) => {
      const silent = await listenSlowly();
      t.after(silent.close);
      await tellAll(await openHostile(accounts, silent.url), events);
      await until(() => silent.tries() > 0);
      const delays = await quick.measure(30, 100);
      t.diagnostic(`${Math.max(...delays)} s at most; ${silent.most()} tries held a worker at once`);
      assert.ok(silent.most() <= SLOTS, `${silent.most()} tries at once`);
      assert.ok(Math.max(...delays) < MOST_SECONDS, `${Math.max(...delays)} s`);
    });
});
