import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isAllowedBy } from '../../lib/local/control-plane/policy-simulation.ts';
import type { AwsCall } from '../../lib/local/emulators/start.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { dynamoClient } from '../../lib/operator/dynamo-client.ts';
import { ALL_KEY_NEEDS, documentedKeyPolicy, keyNeeds } from '../api/observed/key-needs.ts';
import { codeBlocks, DOCUMENTS, namesInCell, readDocument, tableRows } from '../docs/sections.ts';
import { createTable } from '../support/create-table.ts';
import { call } from '../support/http.ts';
import { signInPerson } from '../support/sessions.ts';
import { startDeployedStack } from './deployed-stack.ts';
import { isOperatorCommand, runCommand } from './run-command.ts';
import { openCloud } from './running-cloud.ts';

const STACK = 'MediaGeneration';
const ACCOUNT = 'permitted';
const STATE_TABLE = 'MediaGeneration-UpstreamsState';
const STACK_ARN = `arn:aws:cloudformation:us-east-1:000000000000:stack/${STACK}/1`;

const { cloud, stack } = await openCloud();
/** A stack with several upstreams has this table, too. */
const outputs: Readonly<Record<string, string>> = { ...cloud.outputs, UpstreamTableName: STATE_TABLE };
await createTable(dynamoClient(stack.clientConfig), STATE_TABLE, ['id']);
const cloudFormation = await startDeployedStack({ outputs, tables: [] });
after(() => cloudFormation.close());

/** Runs a command on the deployed stack as a role that has its name. */
const run = async (name: string, ...args: readonly string[]): Promise<string> => {
  const [command = '', subcommand] = name.split(' ');
  if (!isOperatorCommand(command)) throw new Error(`there is no command ${command}`);
  const { credentials } = cloud.clientConfig(name);
  const words = subcommand === undefined ? [] : [subcommand];
  const { output, errors, code } = await runCommand(command, [...words, ...args, '--stack', STACK], {
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: cloud.endpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.environment.AWS_ENDPOINT_URL,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  // The upstream of this stack does not answer.
  assert.equal(code, name === 'upstreams check' ? 1 : 0, `${name}: ${errors}`);
  return output;
};

/** Every subcommand, with each of the ways in which it uses the tables. */
const runAll = async (): Promise<void> => {
  const account = ['--account', ACCOUNT];
  await run('keys create', ...account, '--name', 'first', '--monthly-budget', '20');
  const [key = ''] = (await run('keys list')).split('\n').filter((line) => line.includes(` ${ACCOUNT} `));
  await run('keys revoke', key.split(' ')[0] ?? '');
  await run('accounts set', ACCOUNT, '--monthly-budget', '100', '--videos-at-once', '5');
  await run('accounts show', ACCOUNT);
  await run('accounts list');
  await run('usage', ...account);
  await run('audit list', ...account);
  const place = {
    ...cloud,
    operator: cloud.clientConfig('operator'),
    sessionsTable: cloud.tableName('SessionsTable'),
  };
  for (const revoked of ['one', 'all']) {
    const [, token] = (await run('console sign-in', ...account)).trim().split('#');
    const { body } = await call({ ...cloud, apiKey: '' }, 'POST', '/v1/console/sessions', {
      json: { token },
    });
    assert.equal(body.project_id, ACCOUNT);
    await run('console sessions', ...account);
    await run('console revoke', ...(revoked === 'one' ? [String(body.id)] : []), ...account);
  }
  // The second invitation of a person replaces the first.
  for (const email of ['eve@example.com', 'eve@example.com']) await run('people add', email, ...account);
  // An account keeps an admin.
  await signInPerson(place, ACCOUNT, 'admin', { email: 'zoe@example.com' });
  for (const [email, act, ...options] of [
    ['ada@example.com', 'people role', '--role', 'viewer', '--keys', 'revoke'],
    ['bob@example.com', 'people role', '--role', 'viewer', '--keys', 'transfer'],
    ['cleo@example.com', 'people remove', '--keys', 'revoke'],
    ['dan@example.com', 'people remove', '--keys', 'transfer'],
  ] as const) {
    const { person, call: send } = await signInPerson(place, ACCOUNT, 'admin', { email });
    // Their invitations and keys end with them.
    await send('POST', '/v1/organization/invites', { role: 'viewer', email: `friend-of-${email}` });
    await issueApiKey(stack, { account: ACCOUNT, name: 'theirs', ownerId: person.id });
    await run(act, email, ...account, ...options);
  }
  await run('people list', ...account);
  await run('upstreams list');
  await run('upstreams check');
  await run('upstreams disable', 'sample');
  await run('upstreams enable', 'sample');
};

type Permission = { readonly action: string; readonly output: string };
const describePermission = ({ action, output }: Permission): string => `${action} on ${output}`;

/** Which output names the resource, such as `SessionTableName/index/by-account`. */
const outputName = (resource: string): string => {
  const [, table = resource, index = ''] = /:table\/([^/]+)(.*)$/.exec(resource) ?? [];
  const [name] = Object.entries(outputs).find(([, value]) => value === table) ?? [];
  return `${name ?? resource}${index}`;
};

const observed = new Map<string, AwsCall[]>();
before(async () => {
  await runAll();
  for (const made of await cloud.calls())
    if (isOperatorCommand(made.principal.split(' ')[0] ?? ''))
      observed.set(made.principal, [...(observed.get(made.principal) ?? []), made]);
});

const PERMISSIONS = ['docs/security.md', '### Operator permissions'] as const;
const documented = new Map<string, Permission[]>();
for (const [name = '', actions, places] of tableRows(PERMISSIONS).slice(1)) {
  const permissions = namesInCell(places).flatMap((output) =>
    namesInCell(actions).map((action) => ({ action, output })),
  );
  for (const command of namesInCell(name))
    documented.set(command, [...(documented.get(command) ?? []), ...permissions]);
}

const uses = (name: string): string[] =>
  (observed.get(name) ?? []).map(({ action, resource }) =>
    describePermission({ action, output: outputName(resource) }),
  );
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

describe('the permissions in docs/security.md are those that the command uses:', () => {
  for (const [name, permissions] of documented)
    test(name, () => assert.deepEqual(sorted(uses(name)), sorted(permissions.map(describePermission))));

  test('every command', () => assert.deepEqual(sorted([...observed.keys()]), sorted([...documented.keys()])));

  test('every documented command', () => {
    const texts = [...DOCUMENTS, '.github/workflows/deploy.yml'].map(readDocument).join('\n');
    const found = texts.matchAll(/npm run (?:-s |--silent )?(\w+) -- ([a-z-]*)[^`\n]*--stack/g);
    const names = Array.from(found, ([, command = '', words = '']) =>
      words.startsWith('-') ? command : `${command} ${words}`,
    );
    assert.ok(names.length > 15);
    assert.deepEqual(
      // A restore also needs permissions on its copies, which have their own paragraph.
      names.filter((name) => name !== 'restore' && !documented.has(name)),
      [],
    );
  });

  test('of the KMS key, if the customer has one', () => {
    const needed = [...observed.values()].flat().flatMap(keyNeeds);
    assert.deepEqual(sorted(needed.map(({ action }) => action)), ['kms:Decrypt']);
  });
});

describe('the policy of the smoke role in docs/deploy.md', () => {
  const KEY = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555';
  const resourcePolicy = documentedKeyPolicy('000000000000');
  const [block = ''] = codeBlocks(['docs/deploy.md', '### Smoke test role'], 'json');
  const policy = JSON.parse(
    Object.entries({
      STACK,
      REGION: 'us-east-1',
      ACCOUNT_ID: '000000000000',
      KEY_TABLE_NAME: outputs.KeyTableName ?? '',
      AUDIT_TABLE_NAME: outputs.AuditTableName ?? '',
      KMS_KEY_ARN: KEY,
    }).reduce((text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value), block),
  );
  /** The calls of the pipeline, and of KMS in its name. */
  const calls = () => {
    const made = observed.get('keys create') ?? [];
    const through = (service: string) => ({ 'kms:ViaService': `${service}.us-east-1.amazonaws.com` });
    return [
      { action: 'cloudformation:DescribeStacks', resource: STACK_ARN, context: {} },
      ...made.map(({ action, resource }) => ({ action, resource, context: {} })),
      ...made
        .flatMap(keyNeeds)
        .map(({ action, service }) => ({ action, resource: KEY, context: through(service), resourcePolicy })),
    ];
  };

  test('allows what the pipeline does with it', async () => {
    assert.equal(calls().length, 5);
    for (const call of calls())
      assert.ok(
        await isAllowedBy([policy], { principal: 'smoke', ...call }),
        `${call.action} ${call.resource}`,
      );
  });

  test('allows nothing else', () => {
    const pairs: string[] = policy.Statement.flatMap(({ Action, Resource }: Record<string, unknown>) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} ${resource}`)),
    );
    const used = calls().map(({ action, resource }) => `${action} ${resource.replace(/\/1$/, '/*')}`);
    assert.deepEqual(sorted(pairs), sorted(used));
  });

  test('does not let the role use the key directly', async () => {
    for (const { action } of ALL_KEY_NEEDS) {
      const request = { principal: 'smoke', action, resource: KEY, context: {}, resourcePolicy };
      assert.equal(await isAllowedBy([policy], request), false, action);
    }
  });
});
