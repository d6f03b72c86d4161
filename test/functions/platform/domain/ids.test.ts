import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFileId } from '../../../../functions/files/domain/files.ts';
import {
  decodeTime,
  derivedFileId,
  derivedTaskId,
  encodeBytes,
  encodeTime,
  isAccountName,
  isDeliveryId,
  isEndpointId,
  isTaskId,
  newEndpointId,
  newFileId,
  newTaskId,
  timeOfTaskId,
  toDeliveryId,
} from '../../../../functions/platform/domain/ids.ts';

const NOW = 1_800_000_000_000;

for (const [time, text] of [
  [0, '0000000000'],
  [1, '0000000001'],
  [33, '0000000011'],
  [NOW, '01mcc5rm00'],
  [281_474_976_710_655, '7zzzzzzzzz'],
] as const)
  test(`${time} is encoded as ${text} and decoded again`, () => {
    assert.deepEqual([encodeTime(time), decodeTime(text)], [text, time]);
  });

test('bytes are encoded without the letters i, l, o and u', () => {
  const letters = encodeBytes(
    Uint8Array.from({ length: 33 }, (_, value) => value),
    33,
  );
  assert.equal(letters, '0123456789abcdefghjkmnpqrstvwxyz0');
  assert.equal(encodeBytes(Uint8Array.of(1, 2, 3), 2), '12');
});

describe('an identifier', () => {
  test('is unique also among more than are drawn at once', () => {
    const ids = Array.from({ length: 1000 }, () => newTaskId(NOW).slice(-16));
    assert.equal(new Set(ids).size, ids.length);
    // No letter stays the same.
    for (const place of Array(16).keys()) assert.ok(new Set(ids.map((id) => id[place])).size > 16);
  });

  for (const [name, make, isOne, prefix] of [
    ['file', newFileId, isFileId, 'file_'],
    ['webhook endpoint', newEndpointId, isEndpointId, 'we_'],
  ] as const)
    test(`of a ${name} begins with its time and is unique`, () => {
      const id = make(NOW);
      assert.ok(id.startsWith(`${prefix}01mcc5rm00`), id);
      assert.equal(id.length, prefix.length + 26);
      assert.notEqual(make(NOW), id);
      assert.equal(isOne(id), true);
      for (const wrong of [
        `x${id}`,
        `${id}0`,
        id.slice(0, -1),
        id.replace('_0', '_8'),
        `${id.slice(0, -1)}u`,
      ])
        assert.equal(isOne(wrong), false, wrong);
    });

  test('of a delivery is derived from its endpoint and event', () => {
    const event = { id: 'evt_1', createdAt: NOW };
    const id = toDeliveryId('we_1', event);
    assert.equal(id, 'wd_01mcc5rm00r62avqxsrmk3ejt7');
    assert.notEqual(toDeliveryId('we_2', event), id);
    assert.notEqual(toDeliveryId('we_1', { ...event, id: 'evt_2' }), id);
    const texts = [id, `x${id}`, `${id}0`, `we_${id.slice(3)}`];
    assert.deepEqual(texts.filter(isDeliveryId), [id]);
  });
});

test('account and idempotency key determine the id of a task', () => {
  assert.equal(derivedTaskId('ab', 'c'), 'task_k2r51fr7nedxdp8spnn7pm9agh');
  assert.equal(derivedTaskId('a', 'bc'), 'task_k26kmb0ajwkbn7xy1jjzjzp3mm');
});

test('the id of a task contains its time, unless it is derived from a key', () => {
  assert.match(newTaskId(Date.UTC(2026, 0, 1)), /^task_01kdvdna00[0-9a-hjkmnp-tv-z]{16}$/);
  assert.equal(timeOfTaskId('task_01kdvdna00rrz2kw7shgeq7be4'), Date.UTC(2026, 0, 1));
  assert.equal(timeOfTaskId(derivedTaskId('ab', 'c')), undefined);
});

test('isTaskId rejects other texts', () => {
  const [id, derived] = [newTaskId(0), derivedTaskId('ab', 'c')];
  const texts = [id, derived, 'task_1', `x${id}`, `${id}0`, id.toUpperCase()];
  assert.deepEqual(texts.filter(isTaskId), [id, derived]);
});

test('request and position determine the id of a generated image, which sorts by time', () => {
  const time = Date.UTC(2026, 0, 1);
  assert.match(derivedFileId(time, 'r', 0), /^file_01kdvdna00[0-9a-hjkmnp-tv-z]{16}$/);
  assert.equal(derivedFileId(time, 'r', 0), derivedFileId(time, 'r', 0));
  const ids = [derivedFileId(time, 'r', 0), derivedFileId(time, 'r', 1), derivedFileId(time, 's', 0)];
  assert.equal(new Set(ids).size, 3);
});

test('an account name has 1 to 100 letters, digits, dots, dashes, underscores or @', () => {
  for (const name of ['a', 'Acme_2', 'ops@example.com', 'a-b.c', 'x'.repeat(100)])
    assert.ok(isAccountName(name), name);
  for (const name of ['', 'x'.repeat(101), 'a b', 'a/b', 'é', 'a\n', ' a', '#a'])
    assert.ok(!isAccountName(name), name);
});
