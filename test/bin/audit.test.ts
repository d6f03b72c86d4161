import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../functions/identity/adapters/audit-trail.ts';
import { anAuditEntry } from '../support/audit.ts';
import { runCommand, spawnCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const run = (command: 'audit' | 'accounts', ...args: string[]) =>
  runCommand(command, [...args, '--data', data]);

const DAY = 86_400_000;
const NOW = Date.now();
const HOSTILE = 'a\u001b[2Jb\u009bc\u2028d\u202ee';
const ENTRIES = [
  anAuditEntry({ account: 'audited', at: NOW - 3 * DAY, resourceId: 'share_old' }),
  anAuditEntry({ account: 'audited', at: NOW - DAY, resourceId: 'share_new', details: { name: HOSTILE } }),
  anAuditEntry({ account: 'audited', at: NOW - 401 * DAY, resourceId: 'share_expired' }),
  anAuditEntry({ account: 'other', at: NOW, resourceId: 'share_other' }),
  anAuditEntry({ account: '-', at: NOW, type: 'login.failed', resourceId: 'nobody' }),
];

describe('npm run audit', () => {
  before(async () => {
    const { stack } = await openCloud();
    const client = new DynamoDBClient(stack.clientConfig);
    const TableName = stack.outputs.AuditTableName;
    for (const entry of ENTRIES) await client.send(new PutItemCommand({ TableName, Item: toItem(entry) }));
  });

  test('prints the entries of an account, newest first, one per line', async () => {
    const args = ['list', '--account', 'audited', '--data', data];
    const { code, output, errors } = await spawnCommand('audit', args);
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
      const { output } = await run('audit', 'list', '--account', 'audited', '--since', given);
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
