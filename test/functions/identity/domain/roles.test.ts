import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast, ROLES, requireRole } from '../../../../functions/identity/domain/roles.ts';

test('each role includes the ones below it', () => {
  const included = ROLES.map((role) => ROLES.filter((other) => isAtLeast(role, other)));
  assert.deepEqual(included, [['viewer'], ['viewer', 'member'], ['viewer', 'member', 'admin']]);
});

test('a request is refused below the required role', () => {
  requireRole('admin', 'admin');
  requireRole('viewer', 'viewer');
  const error = { code: 'insufficient_permissions' };
  const [yours, ofKey] = [/role admin; yours in this account is member/, /the API key has the role viewer/];
  assert.throws(() => requireRole('member', 'admin'), { ...error, message: yours });
  assert.throws(() => requireRole('viewer', 'admin', true), { ...error, message: ofKey });
});
