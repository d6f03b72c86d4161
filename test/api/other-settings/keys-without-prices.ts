import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../../support/http.ts';
import { signIn } from '../../support/sessions.ts';
import { service } from './service.ts';

const session = await signIn(service, 'acme');
const project = '/v1/organization/projects/acme';

for (const path of [`${project}/api_keys`, `${project}/service_accounts/acme/api_keys`])
  test(`POST ${path} refuses a monthly budget where nothing has a price, and makes a key without one`, async () => {
    const refused = await session.call('POST', path, { name: 'a', monthly_budget: '5' });
    const { type, param, message } = readError(refused);
    assert.deepEqual(
      [refused.status, type, param],
      [400, 'invalid_request_error', 'monthly_budget'],
      JSON.stringify(refused.body),
    );
    assert.match(String(message), /prices setting\.$/);
    const made = await session.call('POST', path, { name: 'a', monthly_budget: null });
    assert.equal(made.status, 200);
  });
