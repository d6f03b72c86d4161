import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { auditTrail } from '../../../../functions/identity/adapters/audit-trail.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { anAuditEntry } from '../../../support/audit.ts';

const cancelled = (...codes: readonly string[]) =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const IN_PROGRESS = new TransactionInProgressException({ $metadata: {}, message: 'wait' });
const REFUSED = new ConditionalCheckFailedException({ $metadata: {}, message: 'no' });

/** A trail whose calls throw the given errors in turn and then succeed. */
const build = (...errors: readonly Error[]) => {
  const client = new DynamoDBClient({ region: 'local' });
  const inputs: Readonly<Record<string, unknown>>[] = [];
  client.send = async (command: object) => {
    inputs.push(Object(command).input);
    const error = errors[inputs.length - 1];
    if (error !== undefined) throw error;
    return {};
  };
  const logged: (readonly [string, LogFields])[] = [];
  const trail = auditTrail(client, 'audit', { info: (event, fields) => void logged.push([event, fields]) });
  return { trail, inputs, logged };
};

const ENTRY = anAuditEntry({ at: 1_800_000_000_500, details: { name: 'line\nbreak', fields: ['a'] } });
const CHANGE = { Delete: { TableName: 'shares', Key: { id: { S: 'share_1' } } } };

describe('a change', () => {
  test('is written in one transaction with its entry, which expires after 400 days', async () => {
    const { trail, inputs } = build();
    assert.deepEqual(await trail.write([CHANGE], ENTRY), []);
    assert.equal(inputs.length, 1);
    const [change, entry] = Object(inputs[0]).TransactItems;
    assert.equal(change, CHANGE);
    assert.equal(entry.Put.TableName, 'audit');
    assert.equal(entry.Put.ConditionExpression, 'attribute_not_exists(id)');
    assert.equal(entry.Put.Item.id.S, ENTRY.id);
    assert.equal(entry.Put.Item.expires.N, String(1_800_000_001 + 400 * 86_400));
    assert.deepEqual(entry.Put.Item.details.M.fields, { L: [{ S: 'a' }] });
  });

  test('can have several entries', async () => {
    const { trail, inputs, logged } = build();
    await trail.write([CHANGE], [ENTRY, anAuditEntry()]);
    assert.equal(Object(inputs[0]).TransactItems.length, 3);
    assert.equal(logged.length, 2);
  });

  test('that is refused has no log line, and the caller learns of its own conditions alone', async () => {
    const { trail, logged } = build(cancelled('ConditionalCheckFailed', 'None'));
    assert.deepEqual(await trail.write([CHANGE], ENTRY), [{}]);
    assert.deepEqual(logged, []);
  });

  test('fails if the id of its entry is taken', async () => {
    const { trail, logged } = build(cancelled('None', 'ConditionalCheckFailed'));
    await assert.rejects(trail.write([CHANGE], ENTRY), /the id of a new audit entry is taken/);
    assert.deepEqual(logged, []);
  });

  test('keeps its token while an earlier try is running, and takes another one after a conflict', async () => {
    const { trail, inputs } = build(IN_PROGRESS, cancelled('TransactionConflict', 'None'), IN_PROGRESS);
    assert.deepEqual(await trail.write([CHANGE], ENTRY), []);
    const [first, second, third, fourth] = inputs.map(({ ClientRequestToken }) => ClientRequestToken);
    assert.match(String(first), /^[0-9a-f-]{36}$/);
    assert.deepEqual([second, fourth], [first, third]);
    assert.notEqual(third, first);
  });
});

describe('an event without a change', () => {
  test('is written once, even if the response of the first write was lost', async () => {
    const { trail, inputs, logged } = build(REFUSED);
    await trail.record(ENTRY);
    assert.deepEqual([inputs.length, logged.length], [1, 1]);
    assert.equal(inputs[0]?.ConditionExpression, 'attribute_not_exists(id)');
  });

  test('is not logged if it cannot be written', async () => {
    const { trail, logged } = build(new Error('down'));
    await assert.rejects(trail.record(ENTRY), /down/);
    assert.deepEqual(logged, []);
  });
});

test('the log line has who, from where, what and when', async () => {
  const { trail, logged } = build();
  await trail.write([], ENTRY);
  assert.deepEqual(logged, [
    [
      'audit',
      {
        entry: ENTRY.id,
        account: 'tester',
        at: '2027-01-15T08:00:00.500Z',
        type: 'share.created',
        actorKind: 'key',
        actor: 'key_0123456789abcdef',
        person: undefined,
        email: undefined,
        ip: '192.0.2.1',
        userAgent: 'a test',
        resource: 'share_1',
        details: '{"name":"line\\nbreak","fields":["a"]}',
      },
    ],
  ]);
});
