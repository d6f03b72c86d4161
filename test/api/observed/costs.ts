import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import { dynamoUsage } from '../../../functions/billing/adapters/dynamo-charges.ts';
import { toUtcDay } from '../../../functions/billing/domain/periods.ts';
import { isZero, minus } from '../../../functions/platform/domain/money.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { PEOPLE, recordCharges, seededCharges, total } from '../../support/charges.ts';
import { call, MODEL } from '../../support/http.ts';
import { strictLogger } from '../../support/loggers.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { service } from './service.ts';

const store = { clientConfig: service.operator, outputs: service.outputs };
const account = 'seeded';
const adminAPIKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
const tableName = stackOutput({ ...store, outputs: service.outputs }, 'UsageTableName');
const rollUps = dynamoUsage(new DynamoDBClient(service.operator), tableName, strictLogger);
const get = (path: string, key = adminAPIKey) => call(service, 'GET', path, { key });
const unix = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

const LEAP = Date.UTC(2024, 1, 28);
const charges = seededCharges(
  account,
  300,
  [LEAP, Date.UTC(2026, 9, 30), Date.UTC(2025, 11, 31)],
  seededRandom(20_240_229),
);
const others = seededCharges('other', 20, [LEAP], seededRandom(7));
before(() => recordCharges(service, [...charges, ...others]));

const same = (one: string, other: string): void => assert.ok(isZero(minus(one, other)), `${one} is ${other}`);
const amountsBetween = (from: string, to: string) =>
  charges.filter(({ time }) => toUtcDay(time) >= from && toUtcDay(time) <= to).map(({ amount }) => amount);

/** The SDK has no types for this, so it is parsed. */
type Result = { amount?: { value?: number; decimal?: string; currency?: string }; object: string };
const toDecimal = ({ amount }: Result): string => amount?.decimal ?? '';

describe('the SDK with an admin key', () => {
  const { usage } = new OpenAI({ baseURL: `${service.baseUrl}/v1`, adminAPIKey }).admin.organization;

  const allBuckets = async (start: string, end: string, limit: number) => {
    const buckets: { start_time: number; end_time: number; results: Result[] }[] = [];
    let page: string | undefined;
    do {
      const answer = await usage.costs({
        start_time: unix(start),
        end_time: unix(end),
        group_by: ['line_item', 'api_key_id'],
        limit,
        ...(page === undefined ? {} : { page }),
      });
      assert.ok(answer.data.length <= limit);
      assert.equal(answer.has_more, answer.next_page !== null);
      buckets.push(...answer.data);
      assert.ok(buckets.length <= 1096, 'no bucket is on two pages');
      page = answer.next_page ?? undefined;
    } while (page !== undefined);
    return buckets;
  };

  test('costs, roll-ups and 300 charges have one sum, to the last decimal', async () => {
    for (const [start, end, last, days] of [
      ['2024-02-01', '2024-03-01', '2024-02-29', 29],
      ['2023-12-01', '2026-12-01', '2026-11-30', 1096],
    ] as const) {
      const buckets = await allBuckets(start, end, days > 100 ? 180 : 10);
      assert.equal(buckets.length, days);
      for (const [position, { start_time, end_time }] of buckets.entries())
        assert.deepEqual(
          [start_time, end_time],
          [unix(start) + position * 86_400, unix(start) + (position + 1) * 86_400],
        );
      const told = total(buckets.flatMap(({ results }) => results.map(toDecimal)));
      const charged = amountsBetween(start, last);
      assert.ok(charged.length > 0);
      same(told, total(charged));

      const sums = await Array.fromAsync(rollUps.days(account, start, last));
      same(total(sums.map(({ amount }) => amount)), told);
    }
  });

  test('groups add up to what is not grouped', async () => {
    const times = { start_time: unix('2024-02-28'), end_time: unix('2024-03-02') };
    const whole = await usage.costs(times);
    const split = await usage.costs({ ...times, group_by: ['api_key_id', 'line_item', 'project_id'] });
    for (const [position, { results }] of whole.data.entries()) {
      const [sum, ...more] = results;
      assert.ok(sum?.object === 'organization.costs.result' && more.length === 0);
      assert.deepEqual(
        [sum.line_item, sum.api_key_id, sum.project_id, sum.quantity, sum.amount?.currency],
        [null, null, null, null, 'usd'],
      );
      const parts = split.data[position]?.results ?? [];
      // Two keys by two priced models.
      assert.equal(parts.length, 4);
      same(total(parts.map(toDecimal)), toDecimal(sum));
      for (const part of parts) {
        assert.ok(part.object === 'organization.costs.result');
        assert.equal(part.project_id, account);
        assert.equal(
          Reflect.get(part, 'quantity_unit'),
          part.line_item === MODEL ? 'duration_seconds' : 'images',
        );
        assert.equal(part.amount?.value, Number(toDecimal(part)));
      }
    }
  });

  test('people are groups and filters; charges of the account have no person', async () => {
    const times = { start_time: unix('2024-02-01'), end_time: unix('2024-04-01'), limit: 180 };
    // The SDK has no type for this grouping of costs.
    const path = `/v1/organization/costs?start_time=${times.start_time}&end_time=${times.end_time}&limit=180`;
    const { body } = await get(`${path}&group_by[]=user_id`);
    const results: Result[] = Object(body.data).flatMap((bucket: { results: Result[] }) => bucket.results);
    const old = charges.filter(({ time }) => time < Date.UTC(2024, 3));
    for (const person of [...PEOPLE, undefined]) {
      const told = results.filter((result) => Reflect.get(result, 'user_id') === (person ?? null));
      const charged = old.filter(({ personId }) => personId === person);
      assert.ok(charged.length > 0);
      same(total(told.map(toDecimal)), total(charged.map(({ amount }) => amount)));
    }
    const images = await usage.images({
      ...times,
      limit: 31,
      group_by: ['user_id'],
      user_ids: [PEOPLE[1]],
    });
    const counted = images.data.flatMap((bucket) => bucket.results);
    assert.deepEqual(new Set(counted.map((each) => Reflect.get(each, 'user_id'))), new Set([PEOPLE[1]]));
    const ownImages = old.filter((each) => each.kind === 'image' && each.personId === PEOPLE[1]);
    assert.equal(
      counted.reduce((sum, each) => sum + Number(Reflect.get(each, 'images')), 0),
      ownImages.length,
    );
  });
});

test('a month is one read of its sums, and none of its charges', async () => {
  const path = `/v1/organization/costs?start_time=${unix('2026-10-01')}&end_time=${unix('2026-11-01')}&limit=31`;
  await get(path);
  await service.cloud.clearCalls();
  const { body } = await get(path);
  assert.equal(Object(body.data).length, 31);
  const made = (await service.cloud.calls()).filter(
    ({ principal }) => principal === service.cloud.functionId('GetCosts'),
  );
  assert.deepEqual(
    made.map(({ action, resource }) => [action, resource.includes('UsageTable')]),
    [['dynamodb:Query', true]],
  );
});
