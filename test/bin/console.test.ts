import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { runCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const run = (...args: string[]) => runCommand('console', [...args, '--data', data]);

describe('npm run console', () => {
  test('prints a sign-in link, lists the session, and ends it', async () => {
    const { baseUrl } = (await openCloud()).cloud;
    const { output } = await run('sign-in', '--account', 'acme');
    const [address, token] = output.trim().split('#');
    assert.equal(address, `${baseUrl}/console/sign-in`);
    const access = { baseUrl, apiKey: '' };
    const { body } = await call(access, 'POST', '/v1/console/sessions', { json: { token } });
    assert.equal(body.project_id, 'acme');
    assert.match(
      (await run('sessions', '--account', 'acme')).output,
      new RegExp(`^${body.id}  20.*until 20`),
    );
    assert.match((await run('revoke', String(body.id), '--account', 'other')).errors, /other has no session/);
    assert.match((await run('revoke', String(body.id), '--account', 'acme')).output, /is ended/);
    assert.equal((await run('sessions', '--account', 'acme')).output, '');
    assert.match((await run('revoke', '--account', 'acme')).output, /All sessions of acme/);
  });
});
