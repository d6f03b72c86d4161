import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoSessionWrites } from '../../../../functions/identity/adapters/dynamo-session-writes.ts';
import { dynamoSessions } from '../../../../functions/identity/adapters/dynamo-sessions.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAuditEntry, createAuditTable } from '../../../support/audit.ts';
import { aSession } from '../../../support/builders/person.ts';
import { readPlainItem } from '../../../support/plain-item.ts';
import { createAccountTable } from '../authentication/account-table.ts';

const { clients } = await sharedEmulators();
const client = clients.dynamo;
const sessions = 'written-sessions';
await createAccountTable(client, sessions, 'id');
const { audit } = await createAuditTable(client, sessions);

const NOW = 1_800_000_000_000;
const writes = dynamoSessionWrites(client, { sessions, members: 'none' }, audit);
const written = () => ({ entries: [anAuditEntry()] });

test('a session takes the place of another, is leased and renewed by its secret, and ends once', async () => {
  const tokens = { refreshToken: 'refresh', signOutUrl: 'https://id.example.com/out' };
  const [first, second] = [aSession(NOW), aSession(NOW, { id: `sess_${'1'.repeat(32)}` })];
  const open = (session = first, ends = {}) =>
    writes.open({ session, secret: 'secret', tokens }, { ...written(), ...ends });
  assert.deepEqual([await open(), await open()], [true, false]);
  assert.deepEqual([await open(second, { ends: first }), await writes.end(first, written())], [true, false]);
  const stranger = { ...second, secretHash: 'other' };
  const lease = (now: number, session = second) => writes.lease(session, now, NOW + 5);
  assert.deepEqual([await lease(NOW), await lease(NOW + 5), await lease(NOW + 6)], [true, false, true]);
  assert.equal(await lease(NOW + 6, stranger), false);
  const times = { expiresAt: NOW + 7_200_000, renewAt: NOW + 2, checkUntil: NOW + 3 };
  const renewed = { ...times, secret: 'secret', refreshToken: 'next' };
  assert.equal(await writes.renew(stranger, renewed, written()), false);
  assert.equal(await writes.renew(second, renewed, written()), true);
  const { leasedUntil, expires } = await readPlainItem(client, sessions, { id: second.id });
  assert.deepEqual([leasedUntil, expires], [undefined, 1_800_007_200]);
  const stored = (await dynamoSessions(client, sessions).find(second.id)) ?? assert.fail();
  assert.partialDeepStrictEqual(stored, times);
  assert.deepEqual(await writes.tokens(stored, 'secret'), { ...tokens, refreshToken: 'next' });
  await assert.rejects(writes.tokens(stored, 'other'));
  assert.deepEqual(
    [await writes.end(stranger, written()), await writes.end(second, written())],
    [false, true],
  );
});
