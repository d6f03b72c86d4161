import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../functions/platform/authentication/audit-trail.ts';
import { startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { saveLocalStack } from '../../lib/local/local-stack.ts';
import { assemblyFor } from '../support/assembly.ts';
import { anAuditEntry } from '../support/audit.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const folder = await temporaryFolder('audit');
const data = join(folder, 'data');
const run = (command: 'audit' | 'accounts', ...args: string[]) =>
  runCommand(command, [...args, '--data', data]);

const DAY = 86_400_000;
const NOW = Date.now();
const HOSTILE = 'a\u001b[2Jb\u009bc\u2028d\u202ee';
const ENTRIES = [
  anAuditEntry({ account: 'acme', at: NOW - 3 * DAY, resourceId: 'share_old' }),
  anAuditEntry({ account: 'acme', at: NOW - DAY, resourceId: 'share_new', details: { name: HOSTILE } }),
  anAuditEntry({ account: 'acme', at: NOW - 401 * DAY, resourceId: 'share_expired' }),
  anAuditEntry({ account: 'other', at: NOW, resourceId: 'share_other' }),
  anAuditEntry({ account: '-', at: NOW, type: 'login.failed', resourceId: 'nobody' }),
];

describe('npm run audit', () => {
  before(async () => {
    const opened = await openDataFolder(data);
    const files = await assemblyFor('http://127.0.0.1:9', folder);
    const resolveSecret = () => 'unused';
    const cloud = await startLocalCloud({ ...files, data: opened, port: 0, schedules: false, resolveSecret });
    const { clientConfig, outputs } = await saveLocalStack(opened, cloud);
    const client = new DynamoDBClient(clientConfig);
    for (const entry of ENTRIES)
      await client.send(new PutItemCommand({ TableName: outputs.AuditTableName, Item: toItem(entry) }));
    await cloud.close();
    await opened.release();
  });

  test('prints the entries of an account, newest first, one per line', async () => {
    const { code, output, errors } = await run('audit', 'list', '--account', 'acme');
    assert.equal(code, 0, errors);
    const lines = output.trimEnd().split('\n');
    assert.equal(lines.length, 2);
    assert.equal(
      lines[1],
      `${new Date(NOW - 3 * DAY).toISOString()}  share.created  share_old  by key key_0123456789abcdef  from 192.0.2.1`,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a name must not control the terminal
    assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    assert.ok(lines[0]?.endsWith('{"name":"a\\u001b[2Jb?c?d?e"}'), lines[0]);
  });

  test('begins at a time', async () => {
    const since = new Date(NOW - 2 * DAY).toISOString();
    for (const given of [since, since.slice(0, 10)]) {
      const { output } = await run('audit', 'list', '--account', 'acme', '--since', given);
      assert.match(output, /share_new/);
      assert.doesNotMatch(output, /share_old/);
    }
  });

  test('prints sign-ins without an account', async () => {
    const { output } = await run('audit', 'list', '--account', '-');
    assert.match(output, /^\S+ {2}login\.failed {2}nobody {2}by/);
  });

  test('shows the limits that npm run accounts sets, with the operator', async () => {
    const set = (...limits: string[]) => run('accounts', 'set', 'limited', ...limits);
    assert.equal((await set('--videos-at-once', '5', '--creates-per-minute', 'none')).code, 0);
    assert.equal((await set('--videos-at-once', 'default')).code, 0);
    assert.equal((await set('--videos-at-once', 'default')).code, 0);
    const { output } = await run('audit', 'list', '--account', 'limited');
    const details = output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  ').slice(1));
    const [who] = details.map((parts) => parts[2]);
    assert.match(who ?? '', /^by operator \S+$/);
    assert.deepEqual(details, [
      ['rate_limit.updated', 'limited', who, '{"videosAtOnceFrom":5,"videosAtOnceTo":"default"}'],
      [
        'rate_limit.updated',
        'limited',
        who,
        '{"videosAtOnceFrom":"default","videosAtOnceTo":5,"createsPerMinuteFrom":"default","createsPerMinuteTo":"none"}',
      ],
    ]);
  });
});
