import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, spawnCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const missing = join(await temporaryFolder('console'), 'missing');
const run = (...args: string[]) => runCommand('console', [...args, '--data', data]);

describe('npm run console', () => {
  test('reports a missing service, account or subcommand', async () => {
    assert.match(
      (await runCommand('console', ['sign-in', '--account', 'acme', '--data', missing])).errors,
      /npm start/,
    );
    assert.match((await run('sign-in', '--account', 'a b')).errors, /^--account must be [^\n]*\n$/);
    assert.match((await run('sign-out')).errors, /sign-in.*sessions.*revoke/s);
    assert.equal((await run('sessions', '--colour')).code, 1);
  });

  test('prints a sign-in link, lists the session, and ends it', async () => {
    const { baseUrl } = (await openCloud()).cloud;
    const { output } = await spawnCommand('console', ['sign-in', '--account', 'acme', '--data', data]);
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
