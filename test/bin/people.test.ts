import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { addPerson } from '../support/sessions.ts';
import { runCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const run = (...args: string[]) => runCommand('people', [...args, '--account', 'acme', '--data', data]);

describe('npm run people', () => {
  test('invites, lists, changes and removes people of the local service', async () => {
    const { cloud, stack } = await openCloud();
    const invited = await run('add', 'Ada@example.com', '--role', 'viewer');
    assert.equal(invited.code, 0, invited.errors);
    assert.match(invited.output, /^http:[^#]*\/console\/sign-in#mgi_[\w-]{43}\.acme\n$/);
    assert.match(invited.errors, /works once, within 7 days/);

    const { baseUrl, outputs } = cloud;
    const place = { baseUrl, outputs, operator: cloud.clientConfig('operator'), sessionsTable: '' };
    const bob = await addPerson(place, 'acme', 'member', { email: 'bob@example.com', name: 'Bob' });
    await issueApiKey(stack, { account: 'acme', name: 'his', ownerId: bob.id });
    const [person = '', invitation = ''] = (await run('list')).output.split('\n');
    assert.match(
      person,
      /^user_\w{32} {2}member {2}bob@example\.com {2}added 20[\d-]+ {2}from invitation {2}never signed in {2}Bob$/,
    );
    assert.match(invitation, /^invite_\w{32} {2}viewer {2}ada@example\.com {2}invited until 20[\d-]+$/);

    assert.match((await run('role', 'eve@example.com', '--role', 'admin')).errors, /has no person eve@/);
    assert.match((await run('role', 'BOB@example.com', '--role', 'admin')).output, /is admin of acme/);
    assert.match((await run('role', bob.id, '--role', 'viewer')).errors, /^This person is the only admin of/);
    await addPerson(place, 'acme', 'admin', { email: 'carol@example.com' });
    assert.match(
      (await run('role', bob.id, '--role', 'viewer')).errors,
      /^--keys is required, because bob@example\.com has 1 active API key/,
    );
    assert.match((await run('remove', bob.id, '--keys', 'transfer')).output, /is removed from acme/);
    assert.match(
      (await run('list')).output,
      /^user_\w{32} {2}admin {2}carol@[^\n]*\ninvite_\w{32} [^\n]*\n$/,
    );
    assert.match((await run('add', 'bob@example.com')).output, /#mgi_/);
  });
});
