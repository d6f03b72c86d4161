import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoCharges } from '../../../functions/adapters/dynamo-charges.ts';
import { chargeRecord } from '../../../functions/domain/billing.ts';
import { aTask } from '../../support/builders/task.ts';
import { ok, type Reply, refused, startFakeDynamo } from './fake-dynamo.ts';

const CHARGE = chargeRecord(aTask(), { seconds: 6, unitPrice: null, amount: null, currency: null }, 9000);

test('a charge is written where none is, and a second one is quietly not', async () => {
  const conditions: unknown[] = [];
  const noting =
    (reply: Reply): Reply =>
    (input) => {
      conditions.push(input.ConditionExpression);
      return reply(input);
    };
  await using dynamo = await startFakeDynamo({
    PutItem: [noting(ok({})), noting(refused)],
    GetItem: [],
    Query: [],
  });
  const charges = dynamoCharges(dynamo.client, 'charges');
  await charges.record(CHARGE);
  await charges.record(CHARGE);
  assert.deepEqual(conditions, ['attribute_not_exists(id)', 'attribute_not_exists(id)']);
});
