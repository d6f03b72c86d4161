import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createdInvitation,
  deletedInvitation,
  invitationObject,
  personObject,
  removedPerson,
} from '../../../../functions/identity/api/people-object.ts';
import { pageObject } from '../../../../functions/platform/api/pages.ts';
import { aMember } from '../../../support/builders/person.ts';

const ADDED_AT = 1_790_000_000_999;
const INVITATION = {
  account: 'acme',
  id: 'invite_1',
  email: 'ada@example.com',
  role: 'member',
  invitedBy: undefined,
  createdAt: ADDED_AT,
  expiresAt: ADDED_AT + 60_000,
  tokenHash: 'hash',
} as const;
const LISTED = {
  id: 'invite_1',
  object: 'organization.invite',
  email: 'ada@example.com',
  role: 'member',
  status: 'pending',
  created_at: 1_790_000_000,
  invited_at: 1_790_000_000,
  expires_at: 1_790_000_060,
  accepted_at: null,
  projects: [{ id: 'acme', role: 'member' }],
};

test('a page of people has each with times in seconds, and nothing of the provider', () => {
  const member = aMember({ id: 'user_1', role: 'admin', addedAt: ADDED_AT });
  const shown = {
    id: 'user_1',
    object: 'organization.project.user',
    name: 'Ada',
    email: 'ada@example.com',
    role: 'admin',
    added_at: 1_790_000_000,
    source: 'invitation',
    last_sign_in_at: null,
  };
  const items = [member, { ...member, id: 'user_2', lastSignInAt: ADDED_AT }];
  const data = [shown, { ...shown, id: 'user_2', last_sign_in_at: 1_790_000_000 }];
  const page = { object: 'list', data, first_id: 'user_1', last_id: 'user_2', has_more: true };
  assert.deepEqual(pageObject({ items, hasMore: true }, personObject), page);
  const removed = { id: 'user_1', object: 'organization.project.user.deleted', deleted: true };
  assert.deepEqual(removedPerson('user_1'), removed);
});

describe('an invitation', () => {
  test('is pending until it expires', () => {
    const { expiresAt } = INVITATION;
    assert.deepEqual(invitationObject(INVITATION, expiresAt - 1), LISTED);
    assert.deepEqual(invitationObject(INVITATION, expiresAt), { ...LISTED, status: 'expired' });
  });

  test('is created with its link, and may be for anybody', () => {
    const created = createdInvitation('https://a.test', 'mgi_x', { ...INVITATION, email: '' });
    assert.deepEqual(created, { ...LISTED, email: null, url: 'https://a.test/console/sign-in#mgi_x' });
  });

  test('is deleted by its id', () => {
    const deleted = { id: 'invite_1', object: 'organization.invite.deleted', deleted: true };
    assert.deepEqual(deletedInvitation('invite_1'), deleted);
  });
});
