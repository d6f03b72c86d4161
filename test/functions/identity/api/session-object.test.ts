import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as objects from '../../../../functions/identity/api/session-object.ts';
import { aMember, aSession } from '../../../support/builders/person.ts';

test('a list of sessions has their people with the present role, and says which is the current one', () => {
  const ada = aMember({ role: 'viewer' });
  const session = aSession(5_000_999, { id: 'sess_1', personId: ada.id });
  const place = { object: 'console.session', project_id: 'acme' };
  const times = { created_at: 1_400, expires_at: 8_600, renew_at: 5_001, ends_at: 91_400 };
  const user = { id: ada.id, name: 'Ada', email: 'ada@example.com' };
  const stranger = { ...session, id: 'sess_2', personId: undefined };
  assert.deepEqual(objects.sessionList([session, stranger], [ada], 'sess_2'), {
    object: 'list',
    data: [
      { id: 'sess_1', ...place, ...times, role: 'viewer', user, current: false },
      { id: 'sess_2', ...place, ...times, role: 'admin', user: null, current: true },
    ],
    ...{ first_id: 'sess_1', last_id: 'sess_2', has_more: false },
  });
});

test('a session is opened by a provider or a link, and its end may lead to the provider', () => {
  const provider = { issuer: 'https://id.example.com', name: 'Example' };
  const ways = { object: 'console.sign_in', provider, links: false };
  assert.deepEqual(objects.signInObject({ provider, links: false }), ways);
  assert.equal(objects.signInObject({ provider: undefined, links: true }).provider, null);
  const link = { object: 'console.link', url: 'https://a.test/console/sign-in#mgl_x', expires_at: 7 };
  assert.deepEqual(objects.linkObject('https://a.test', 'mgl_x', { linkUntil: 7_999 }), link);
  const ended = { id: 'sess_1', object: 'console.session.deleted', deleted: true };
  assert.deepEqual(objects.endedSession('sess_1', undefined), { ...ended, sign_out_url: null });
  assert.equal(objects.endedSession('sess_1', 'https://b.test').sign_out_url, 'https://b.test');
});
