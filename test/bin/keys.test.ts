import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { call } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, spawnCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const missing = join(await temporaryFolder('keys'), 'missing');

const keys = (...args: string[]) => runCommand('keys', args);

describe('npm run keys', () => {
  test('reports a missing service or subcommand in one sentence', async () => {
    const none = await keys('list', '--data', missing);
    assert.deepEqual([none.code, none.errors.trim().split('\n').length], [1, 1]);
    assert.match(none.errors, /npm start/);
    assert.match((await keys('destroy')).errors, /create.*list.*revoke/s);
    assert.equal((await keys('list', '--colour')).code, 1);
  });

  test('creates a key that works, lists it without its secret, and revokes it', async () => {
    await openCloud();
    const created = await keys('create', '--account', 'keys', '--name', 'ci', '--data', data);
    const apiKey = created.output.trim();
    assert.match(apiKey, /^mgk_[\w-]{50}$/);
    const models = async () => {
      const { baseUrl } = (await openCloud()).cloud;
      return call({ baseUrl, apiKey }, 'GET', '/v1/models');
    };
    assert.equal((await models()).status, 200);
    assert.match((await keys('create', '--account', 'a b', '--data', data)).errors, /--account/);
    await (await openCloud()).stop();
    // The local cloud has stopped: the command opens its data itself.
    const { output } = await spawnCommand('keys', ['list', '--data', data]);
    assert.ok(!output.includes(apiKey) && output.includes(apiKey.slice(-4)));
    const [, id = ''] = /^(\S+) {2}keys .* active {2}ci$/m.exec(output) ?? assert.fail(output);
    await openCloud();
    assert.equal((await keys('revoke', id, '--data', data)).code, 0);
    assert.match((await keys('list', '--data', data)).output, new RegExp(`^${id} .* revoked 20`, 'm'));
    assert.match((await keys('revoke', 'key_none', '--data', data)).errors, /no key key_none/);
    assert.equal((await models()).status, 401);
  });
});

describe('the terms of a key', () => {
  test('are listed; an admin key has its own prefix', async () => {
    const where = ['--account', 'terms', '--data', data];
    const limited = await keys('create', ...where, '--expires-in', '30d', '--monthly-budget', '20.50');
    assert.match(limited.output, /^mgk_/);
    assert.match((await keys('create', ...where, '--admin', '--name', 'billing')).output, /^mga_[\w-]{50}$/m);
    const { output } = await keys('list', '--data', data);
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    assert.match(output, new RegExp(`terms .* active until ${day}  20.50 a month`));
    assert.match(output, /terms .* active {2}admin {2}billing/);
  });

  test('have a budget without leading zeros', async () => {
    await keys('create', '--account', 'plain', '--data', data, '--monthly-budget', '007');
    assert.match((await keys('list', '--data', data)).output, /plain .* active {2}7 a month/);
  });
});

describe('npm run accounts', () => {
  const accounts = (...args: string[]) => runCommand('accounts', [...args, '--data', data]);

  test('sets, shows and clears the limits of an account', async () => {
    const set = await accounts('set', 'acme', '--monthly-budget', '100.50', '--videos-at-once', '5');
    assert.equal(set.code, 0, set.errors);
    assert.match(
      set.output,
      /^acme {2}monthly budget 100\.50 {2}videos at once 5 {2}creates a minute default/,
    );
    const zeros = await accounts('set', 'acme', '--monthly-budget', '007');
    assert.match(zeros.output, /^acme {2}monthly budget 7 {2}/);
    await accounts('set', 'acme', '--monthly-budget', 'none', '--videos-at-once', 'default');
    assert.match(
      (await accounts('show', 'acme')).output,
      /monthly budget none {2}videos at once default .* used in \d{4}-\d\d 0 {2}unfinished 0/,
    );
    assert.match((await accounts('list')).output, /^acme {2}/m);
  });
});
