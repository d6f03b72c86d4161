import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast, ROLES, requiredRole, requireRole } from '../../../../functions/identity/domain/roles.ts';

test('each role includes the ones below it', () => {
  assert.deepEqual(
    ROLES.map((role) => ROLES.filter((other) => isAtLeast(role, other))),
    [['viewer'], ['viewer', 'member'], ['viewer', 'member', 'admin']],
  );
});

test('a route requires the role of its row', () => {
  assert.equal(requiredRole('GET', '/v1/webhook_endpoints'), 'viewer');
  assert.equal(requiredRole('HEAD', '/v1/webhook_endpoints'), 'viewer');
  assert.equal(requiredRole('POST', '/v1/webhook_endpoints'), 'admin');
  assert.equal(requiredRole('PUT', '/v1/webhook_endpoints'), undefined);
});

test('a request is refused below the required role, and for a route without one', () => {
  requireRole('admin', 'POST', '/v1/webhook_endpoints');
  requireRole('viewer', 'GET', '/v1/webhook_endpoints');
  const error = { code: 'insufficient_permissions' };
  assert.throws(() => requireRole('member', 'POST', '/v1/webhook_endpoints'), {
    ...error,
    message: /requires the role admin; yours in this account is member/,
  });
  assert.throws(() => requireRole('viewer', 'POST', '/v1/webhook_endpoints', true), {
    ...error,
    message: /the API key has the role viewer/,
  });
  assert.throws(() => requireRole('admin', 'GET', '/v1/nothing'), /no role is defined for GET \/v1\/nothing/);
});
