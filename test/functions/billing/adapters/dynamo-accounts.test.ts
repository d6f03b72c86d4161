import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dynamoAccounts,
  earlierMonths,
  outdatedNames,
  readAccountUsage,
  readCommitted,
  readCreates,
  readVideos,
} from '../../../../functions/billing/adapters/dynamo-accounts.ts';
import { dynamoKeyUses } from '../../../../functions/identity/adapters/dynamo-key-uses.ts';
import { type Attributes, encode } from '../../../../functions/platform/aws/attributes.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { recordingLogger, strictLogger } from '../../../support/loggers.ts';

describe('dynamoAccounts', () => {
  const NOW = Date.UTC(2026, 10, 30);

  test('finds an account with its limits, its usage and its outdated counters', async (context) => {
    const Item: Attributes = {
      ...encode({ account: 'acme', monthlyBudget: '5', videosAtOnce: 0, createsPerMinute: null }),
      'committed#2026-11': { N: '3.2' },
      'committed#2026-01': { N: '1' },
      'reached80#2026-11#5': { N: '4' },
      'reached80#2026-09#5': { N: '4.5' },
      [`creates#${NOW / 60_000}`]: { N: '4' },
    };
    const { client } = answeringDynamo(context, { Item });
    assert.deepEqual(await dynamoAccounts(client, 'accounts').find('acme', NOW), {
      limits: { monthlyBudget: '5', videosAtOnce: 0, createsPerMinute: null, keptMegabytes: undefined },
      committed: '3.2',
      marks: { 'reached80#2026-11#5': '4', 'reached80#2026-09#5': '4.5' },
      creates: 4,
      outdated: ['committed#2026-01', 'reached80#2026-09#5'],
    });
    assert.equal(await dynamoAccounts(client, 'accounts').find('unknown', NOW), undefined);
  });
});

describe('the last charges of keys', () => {
  const item = (keyId: string, lastChargedAt?: number): Attributes =>
    encode({ account: `acme#${keyId}`, lastChargedAt });

  test('are read together, without keys that were never charged', async (context) => {
    const { client, inputs } = answeringDynamo(
      context,
      {
        Responses: { accounts: [item('key_1', 5)] },
        UnprocessedKeys: { accounts: { Keys: [{ account: { S: 'acme#key_2' } }] } },
      },
      { Responses: { accounts: [item('key_2')] } },
    );
    const { lastCharges } = dynamoKeyUses(client, 'accounts', strictLogger);
    const found = await lastCharges('acme', ['key_1', 'key_2']);
    assert.deepEqual(found, new Map([['key_1', 5]]));
    assert.deepEqual(inputs, [
      {
        RequestItems: {
          accounts: { Keys: [{ account: { S: 'acme#key_1' } }, { account: { S: 'acme#key_2' } }] },
        },
      },
      { RequestItems: { accounts: { Keys: [{ account: { S: 'acme#key_2' } }] } } },
    ]);
  });

  test('of an unreadable item are reported and do not affect other keys', async (context) => {
    const { client } = answeringDynamo(context, {
      Responses: { accounts: [{ ...item('key_1'), lastChargedAt: { S: 'x' } }, item('key_2', 6)] },
    });
    const { logger, errors } = recordingLogger();
    const found = await dynamoKeyUses(client, 'accounts', logger).lastCharges('acme', ['key_1', 'key_2']);
    assert.deepEqual(found, new Map([['key_2', 6]]));
    const logged = errors.map(({ event, fields }) => [event, fields.key]);
    assert.deepEqual(logged, [['item not readable', 'acme#key_1']]);
  });
});

describe('the item of an account', () => {
  /** 2026-03-01T00:01:30Z, in minute 29538721. */
  const AT = Date.UTC(2026, 2, 1, 0, 1, 30);
  const MINUTE = AT / 60_000 - 0.5;

  test('has its usage, which is 0 without counters', () => {
    const item = {
      'committed#2026-03': { N: '3.20' },
      [`creates#${MINUTE}`]: { N: '4' },
      videos: { N: '2' },
    };
    const ofKey = { 'committed#2026-03': { N: '1.5' } };
    const used = { committed: '3.20', committedByKey: '1.5', videos: 2, creates: 4 };
    assert.deepEqual(readAccountUsage(item, ofKey, { month: '2026-03', at: AT }), used);
    assert.deepEqual([readCommitted({}, '2026-03'), readCreates({}, AT), readVideos({})], ['0', 0, 0]);
  });

  test('has outdated counters after two minutes or two months', () => {
    const creates = [0, 1, 2].map((ago) => `creates#${MINUTE - ago}`);
    const committed = ['2026-03', '2026-02', '2026-01', '2025-12'].map((month) => `committed#${month}`);
    const names = ['account', 'videos', ...creates, ...committed, 'monthlyBudget'];
    const item = Object.fromEntries(names.map((name) => [name, { N: '1' }]));
    assert.deepEqual(outdatedNames(item, AT), [creates[2], committed[2], committed[3]]);
  });

  test('loses at most 50 counters at a time', () => {
    const item = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [`creates#${minute}`, { N: '1' }]),
    );
    assert.equal(outdatedNames(item, AT).length, 50);
  });

  test('loses the counters of the year before the previous month, without being read', () => {
    const months = earlierMonths('2026-03');
    const ends = [months[0], months.at(-1)];
    assert.deepEqual([...ends, months.length], ['committed#2026-01', 'committed#2025-02', 12]);
  });
});
