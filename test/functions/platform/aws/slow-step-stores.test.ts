import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dynamoSlowSteps } from '../../../../functions/platform/aws/dynamo-slow-steps.ts';
import {
  type Shares,
  type SlowStep,
  type SlowSteps,
  slotShares,
  workerShares,
} from '../../../../functions/platform/domain/fair-share.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { describeStores } from '../../../support/contract.ts';
import { createTable } from '../../../support/create-table.ts';
import { MemorySlowSteps, slowStepsPort } from '../../../support/in-memory/slow-steps.ts';
import { readPlainItem } from '../../../support/plain-item.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;

const NOW = Date.UTC(2026, 0, 1);
const UNTIL = NOW + 60_000;

/** Empty steps, and the names of what is held; in DynamoDB those of the attributes. */
type Open = (
  name: string,
  shares?: Shares,
) => Promise<{ readonly steps: SlowSteps; readonly held: (now: number) => Promise<readonly string[]> }>;

const stores: Record<'memory' | 'dynamo', Open> = {
  memory: async (_, shares = workerShares(10)) => {
    const memory = new MemorySlowSteps(shares);
    const held = async (now: number) =>
      memory
        .running(now)
        .flatMap(({ owner, part }) => [
          'all',
          `of ${owner}`,
          ...(part === undefined ? [] : [`part ${part}`]),
        ]);
    return { steps: slowStepsPort(memory), held };
  },
  dynamo: async (TableName, shares = workerShares(10)) => {
    await createTable(client, TableName, ['id']);
    const held = async () => {
      const item = await readPlainItem(client, TableName, { id: 'slow-steps' });
      return Object.keys(item).filter((name) => name !== 'id');
    };
    return { steps: dynamoSlowSteps(client, TableName, shares), held };
  },
};

const step = (account: string, number: number, until = UNTIL): SlowStep => ({
  owner: account,
  id: `${account} ${number}`,
  until,
});
const several = (account: string, count: number) =>
  Array.from({ length: count }, (_, number) => step(account, number));

describeStores('slow steps', stores, (open) => {
  test('one account with 30 concurrent steps gets half of the workers, and leaves room for others', async () => {
    const { steps, held } = await open('crowd');
    const begun = await Promise.all(several('a', 30).map((each) => steps.begin(each, NOW)));
    assert.equal(begun.filter(Boolean).length, 5);
    assert.equal(await steps.begin(step('b', 0), NOW), true);
    assert.equal(await steps.begin(step('a', 99), NOW), false);
    await Promise.all([...several('a', 30), step('b', 0)].map(steps.end));
    assert.deepEqual(await held(NOW), []);
  });

  test('a step that ends frees its place once, even if it ends twice', async () => {
    const { steps } = await open('room');
    const five = several('a', 5);
    for (const each of five) assert.ok(await steps.begin(each, NOW));
    const [first = step('a', 0)] = five;
    await steps.end(first);
    await steps.end(first);
    assert.equal(await steps.begin(step('a', 10), NOW), true);
    assert.equal(await steps.begin(step('a', 11), NOW), false);
  });

  test('a step that begins several times counts once', async () => {
    const { steps, held } = await open('twice');
    for (let time = 0; time < 20; time += 1) assert.ok(await steps.begin(step('a', 0), NOW));
    await steps.end(step('a', 0));
    assert.deepEqual(await held(NOW), []);
  });

  test('the steps of crashed workers count until they expire, and are then removed', async () => {
    const { steps, held } = await open('dead');
    for (const each of several('a', 5)) await steps.begin(each, NOW);
    await steps.begin(step('b', 0), NOW);
    const later = step('a', 10, UNTIL + 60_000);
    assert.equal(await steps.begin(later, UNTIL - 1), false);
    assert.equal(await steps.begin(later, UNTIL), true);
    assert.deepEqual((await held(UNTIL)).toSorted(), ['all', 'of a']);
  });

  describe('slots', () => {
    const attempts = (account: string, endpoints: number, count: number, isFailing = false): SlowStep[] =>
      Array.from({ length: count }, (_, number) => ({
        ...step(account, number),
        part: `${account}-endpoint-${number % endpoints}`,
        isFailing,
      }));
    const beginAll = async (steps: SlowSteps, wanted: readonly SlowStep[]): Promise<SlowStep[]> => {
      const begun = await Promise.all(wanted.map((each) => steps.begin(each, NOW)));
      return wanted.filter((_, position) => begun[position]);
    };

    test('are given to five of 40 concurrent attempts of ten accounts, and freed when they end', async () => {
      const { steps, held } = await open('slots', slotShares(10));
      const wanted = Array.from({ length: 10 }, (_, account) => attempts(`a${account}`, 4, 4)).flat();
      const begun = await beginAll(steps, wanted);
      assert.equal(begun.length, 5);
      assert.equal(await steps.begin(step('another', 0), NOW), false);
      for (const each of begun)
        assert.equal(await steps.begin(each, NOW), true, 'the same attempt counts once');
      await Promise.all(begun.map(steps.end));
      assert.deepEqual(await held(NOW), []);
    });

    test('leave room for healthy endpoints beside failing ones', async () => {
      const { steps } = await open('failing', slotShares(10));
      const failing = Array.from({ length: 10 }, (_, account) => attempts(`f${account}`, 10, 3, true)).flat();
      assert.equal((await beginAll(steps, failing)).length, 3);
      assert.equal((await beginAll(steps, attempts('well', 2, 4))).length, 1);
      assert.equal((await beginAll(steps, attempts('other', 2, 4))).length, 1);
    });

    for (const [endpoints, held] of [
      [1, 2],
      [10, 3],
    ] as const)
      test(`are limited to ${held} for an account with ${endpoints} endpoints`, async () => {
        const { steps } = await open(`endpoints-${endpoints}`, slotShares(10));
        assert.equal((await beginAll(steps, attempts('a', endpoints, 20))).length, held);
      });

    test('of crashed workers are freed when they expire', async () => {
      const { steps, held } = await open('dead-slots', slotShares(10));
      for (const account of ['a', 'b', 'c', 'd', 'e']) await beginAll(steps, attempts(account, 1, 1));
      const later = { ...step('f', 0, UNTIL + 60_000), part: 'f-endpoint-0' };
      assert.equal(await steps.begin(later, UNTIL - 1), false);
      assert.equal(await steps.begin(later, UNTIL), true);
      assert.deepEqual((await held(UNTIL)).toSorted(), ['all', 'of f', 'part f-endpoint-0']);
    });
  });
});
