import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { KEY_TABLE } from '../../lib/keys/api-keys.ts';
import { type LocalCloud, startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { saveTableAccess } from '../../lib/local/local-table.ts';
import { assemblyFor } from '../support/assembly.ts';
import { call } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runKeys } from './run-keys.ts';

const folder = await temporaryFolder('keys');
const data = join(folder, 'data');

const whileRunning = async (act: (cloud: LocalCloud) => Promise<void>): Promise<void> => {
  const opened = await openDataFolder(data);
  const files = await assemblyFor('http://127.0.0.1:9', folder);
  const cloud = await startLocalCloud({
    ...files,
    data: opened,
    port: 0,
    schedules: false,
    resolveSecret: () => 'unused',
  });
  try {
    await saveTableAccess(opened, cloud, KEY_TABLE);
    await act(cloud);
  } finally {
    await cloud.close();
    await opened.release();
  }
};

const keys = (...args: string[]) => runKeys(args);

describe('the key command', () => {
  test('says what is missing in one sentence', async () => {
    const none = await keys('list', '--data', join(folder, 'nothing'));
    assert.deepEqual([none.code, none.errors.trim().split('\n').length], [1, 1]);
    assert.match(none.errors, /npm start/);
    assert.match((await keys('destroy')).errors, /create.*list.*revoke/s);
    assert.equal((await keys('list', '--colour')).code, 1);
  });

  test('makes a key that works, lists it without showing it, and revokes it', async () => {
    let created = '';
    await whileRunning(async (cloud) => {
      created = (await keys('create', '--account', 'acme', '--name', 'ci', '--data', data)).output.trim();
      assert.match(created, /^mgk_[\w-]{50}$/);
      assert.equal(
        (await call({ baseUrl: cloud.baseUrl, apiKey: created }, 'GET', '/v1/models')).status,
        200,
      );
      assert.match((await keys('create', '--account', 'a b', '--data', data)).errors, /--account/);
    });
    // The cloud is down now: the command opens its data by itself.
    const { output } = await keys('list', '--data', data);
    assert.ok(!output.includes(created) && output.includes(created.slice(-4)));
    const [id = ''] = output.split(' ');
    assert.match(output, /acme .* active {2}ci/);
    assert.equal((await keys('revoke', id, '--data', data)).code, 0);
    assert.match((await keys('list', '--data', data)).output, /revoked 20/);
    assert.match((await keys('revoke', 'key_none', '--data', data)).errors, /no key key_none/);
    await whileRunning(async ({ baseUrl }) => {
      assert.equal((await call({ baseUrl, apiKey: created }, 'GET', '/v1/models')).status, 401);
    });
  });
});
