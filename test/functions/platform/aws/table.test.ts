import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimal, encode, number, text, textSet } from '../../../../functions/platform/aws/attributes.ts';
import { byAccount, dynamoTable, getMany, scanItems } from '../../../../functions/platform/aws/table.ts';
import { putWrite } from '../../../../functions/platform/aws/table-writes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { createTable } from '../../../support/create-table.ts';
import { recordingLogger } from '../../../support/loggers.ts';

const { client } = await sharedEmulators().then(({ clients }) => ({ client: clients.dynamo }));

const open = async (name: string) => {
  await createTable(client, name, ['id'], {
    indexes: { 'by-account': { keys: ['account', 'at'] } },
    numbers: ['at'],
  });
  const { logger, errors } = recordingLogger();
  return { items: dynamoTable(client, name, { logger, key: ['id'] }), logger, errors };
};
const id = (item: Parameters<typeof text>[0]) => text(item, 'id');

describe('a DynamoDB table', () => {
  test('puts, reads and removes items under their conditions', async () => {
    const { items } = await open('table-items');
    const isNew = { when: 'attribute_not_exists(id)' };
    assert.equal(await items.put(encode({ id: 'a', role: 'admin' }), isNew), true);
    assert.equal(await items.put(encode({ id: 'a', role: 'viewer' }), isNew), false);
    assert.equal(await items.get({ id: 'a' }, (item) => text(item, 'role')), 'admin');
    assert.equal(await items.get({ id: 'b' }, id), undefined);
    const isRole = (role: string) => ({ when: '#role = :role', values: { role } });
    assert.equal(await items.remove({ id: 'a' }, isRole('viewer')), false);
    assert.equal(await items.remove({ id: 'a' }, isRole('admin')), true);
    assert.equal(await items.get({ id: 'a' }, id), undefined);
  });

  test('reads consistently unless told otherwise', async (context) => {
    const { client: answering, inputs } = answeringDynamo(context);
    await dynamoTable(answering, 'items').get({ id: 'a' }, id);
    await dynamoTable(answering, 'items').get({ id: 'a' }, id, false);
    const input = { TableName: 'items', Key: encode({ id: 'a' }) };
    assert.deepEqual(inputs, [
      { ...input, ConsistentRead: true },
      { ...input, ConsistentRead: false },
    ]);
  });

  test('sets, adds to and removes attributes, whatever their names', async () => {
    const { items } = await open('table-changes');
    const before = { id: 'a', role: 'admin', 'spent#1': decimal('0.1'), old: 1, gone: 1, many: textSet('x') };
    await items.put(encode(before));
    const change = {
      set: { role: 'viewer', gone: undefined },
      add: { 'spent#1': decimal('0.2'), many: textSet('y') },
      remove: ['old'],
      when: '#role = :from AND #spent < :most',
      names: { spent: 'spent#1' },
      values: { from: 'admin', most: 1 },
    };
    assert.deepEqual(await items.change({ id: 'a' }, change), {
      id: { S: 'a' },
      role: { S: 'viewer' },
      'spent#1': { N: '0.3' },
      many: { SS: ['x', 'y'] },
    });
    assert.equal(await items.change({ id: 'a' }, change), undefined);
    assert.equal(await items.update({ id: 'a' }, change), false);
    assert.equal(
      await items.update({ id: 'a' }, { expression: 'DELETE many :all', values: { all: textSet('x', 'y') } }),
      true,
    );
    assert.deepEqual(await items.get({ id: 'a' }, Object.keys), ['id', 'role', 'spent#1']);
  });

  test('returns the stored item of a failed condition on request, and knows its own repeated write', async () => {
    const { items } = await open('table-attempts');
    const write = (writeId: string) =>
      putWrite(items.name, encode({ id: 'a', write_id: writeId }), {
        when: 'attribute_not_exists(id)',
        returnsItem: true,
      });
    assert.equal(await items.attempt(write('first')), undefined);
    assert.deepEqual(await items.attempt(write('second')), encode({ id: 'a', write_id: 'first' }));
    assert.deepEqual(
      await items.attempt(putWrite(items.name, encode({ id: 'a' }), { when: 'id = :b', values: { b: 'b' } })),
      {},
    );
    assert.equal(await items.writeOnce(write), false);
    await items.remove({ id: 'a' });
    let firstTry: Promise<unknown> | undefined;
    assert.equal(
      await items.writeOnce((writeId) => {
        const repeated = write(writeId);
        firstTry = items.attempt(repeated);
        return repeated;
      }),
      true,
    );
    await firstTry;
  });

  test('lists all pages, skips items that cannot be read, and logs their keys', async () => {
    const { items, logger, errors } = await open('table-lists');
    for (const [at, name] of ['a', 'b', 'c'].entries())
      await items.put(encode({ id: name, account: 'acme', at, size: name === 'b' ? 'x' : at }));
    const read = (item: Parameters<typeof text>[0]) => `${id(item)}${number(item, 'size')}`;
    assert.deepEqual(await items.list({ ...byAccount('acme'), limit: 1 }, read), ['c2', 'a0']);
    const logged = errors.map(({ event, fields }) => [event, fields]);
    assert.deepEqual(logged, [['item not readable', { table: 'table-lists', key: 'b' }]]);
    const after = encode({ account: 'acme', at: 2, id: 'c' });
    assert.deepEqual(await items.list({ ...byAccount('acme'), after }, id), ['b', 'a']);
    const { items: first, next } = await items.page(
      { ...byAccount('acme'), limit: 1, newestFirst: false },
      id,
    );
    assert.deepEqual([first, next], [['a'], encode({ account: 'acme', at: 0, id: 'a' })]);
    await assert.rejects(dynamoTable(client, items.name).list(byAccount('acme'), read), /corrupt: size/);

    const filter = { where: '#at < :most', values: { most: 2 } };
    const scanned = await scanItems(client, { name: items.name, logger, key: ['id'], filter }, id);
    assert.deepEqual(scanned.toSorted(), ['a', 'b']);
    const found = await getMany(client, items.name, [{ id: 'c' }, { id: 'd' }]);
    assert.deepEqual(found.map(id), ['c']);
  });
});
