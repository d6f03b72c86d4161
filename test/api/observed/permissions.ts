import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedBy } from '../../../lib/local/control-plane/policy-simulation.ts';
import type { AwsCall } from '../../../lib/local/emulators/start.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { readPolicies } from '../../support/policies.ts';
import { synthesizedWith } from '../../support/template.ts';
import { ALL_KEY_NEEDS, describeNeed, documentedKeyPolicy, type KeyNeed, keyNeeds } from './key-needs.ts';
import { service } from './service.ts';
import { tour } from './tour.ts';

const ACCOUNT = '000000000000';

/** The sweeper lists this prefix and no other. */
const contextFor = (action: string): Record<string, string> =>
  action === 's3:ListBucket' ? { 's3:prefix': 'inputs/' } : {};

const isAllowed = (
  policies: readonly unknown[],
  { action, resource, principal }: AwsCall,
): Promise<boolean> => isAllowedBy(policies, { action, resource, principal, context: contextFor(action) });

test('each AWS call of each function is allowed by the role that the template gives it', async () => {
  await tour();
  const policies = await readPolicies(service.files);
  const calls = (await service.cloud.calls()).filter(({ principal }) => policies.has(principal));
  const distinct = new Map(
    calls.map((entry) => [`${entry.principal} ${entry.action} ${entry.resource}`, entry]),
  );
  const denied: string[] = [];
  for (const [title, entry] of distinct)
    if (!(await isAllowed(policies.get(entry.principal) ?? [], entry))) denied.push(title);
  assert.deepEqual(denied, []);

  const refused = calls.filter(({ status }) => status === 403);
  assert.deepEqual(refused, [], 'a missing object is a 404 wherever a function may meet one');

  const silent = Array.from(policies.keys()).filter((id) => !calls.some(({ principal }) => principal === id));
  assert.deepEqual(
    silent.filter((id) => !SILENT_FUNCTIONS.test(id)),
    [],
    'functions that were not seen at work',
  );
  const isTable = ({ resource }: AwsCall) => resource.includes('ReservationsTable');
  for (const [name, action] of [
    ['CreateVideo', 'dynamodb:PutItem'],
    ['CreateVideo', 'dynamodb:UpdateItem'],
    ['VideoWorker', 'dynamodb:DeleteItem'],
    ['Sweeper', 'dynamodb:Query'],
    ['Sweeper', 'dynamodb:DeleteItem'],
  ] as const)
    assert.ok(
      calls.some(
        (entry) =>
          entry.principal === service.cloud.functionId(name) && entry.action === action && isTable(entry),
      ),
      `${name} ${action}`,
    );
  const worker = service.cloud.functionId('VideoWorker');
  assert.ok(
    Array.from(distinct.values()).some(
      ({ principal, action }) => principal === worker && action === 's3:AbortMultipartUpload',
    ),
  );
});

/** The API's description, the page and the answer to an unknown route need no AWS call; broken copies are used later. */
const SILENT_FUNCTIONS = /^(Broken|GetConsole|GetOpenapi|UnknownRoute)/;

test('a role lacks what its function does not do', async () => {
  const policies = await readPolicies(service.files);
  const tableArn = (table: string) =>
    `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/${service.cloud.tableName(table)}`;
  const tasks = tableArn('TasksTable');
  const object = (key: string) => `arn:aws:s3:::${service.cloud.bucketName('MediaBucket')}/${key}`;
  const endpoints = tableArn('WebhookEndpointsTable');
  const findSecret = async (name: string): Promise<string> => {
    const calls = await service.cloud.calls();
    const read = calls.find(
      ({ principal, action }) =>
        principal === service.cloud.functionId(name) && action === 'secretsmanager:GetSecretValue',
    );
    assert.ok(read !== undefined);
    return read.resource;
  };
  const [webhookKey, upstreamKey] = [await findSecret('CreateWebhook'), await findSecret('VideoWorker')];
  const TABLE: readonly [functionNames: readonly string[], action: string, resource: string][] = [
    [['GetVideo', 'Sweeper', 'CreateShare'], 'dynamodb:PutItem', tasks],
    [['GetVideo'], 'dynamodb:Scan', tasks],
    [['CreateVideo', 'CancelVideo', 'Mcp'], 'dynamodb:DeleteItem', tasks],
    [['DownloadVideo', 'GenerateImages', 'EditImages', 'GetShare'], 's3:GetObject', object('inputs/x')],
    [['Mcp'], 's3:PutObject', object('inputs/x')],
    [['CreateVideo', 'GenerateImages', 'RunModelAction'], 's3:PutObject', object('videos/x')],
    [['RemoveLeftovers', 'CancelVideo'], 's3:DeleteObject', object('videos/x')],
    [['GetFileContent'], 's3:GetObject', object('videos/x')],
    [['CreateVideo'], 's3:GetObject', object('removed-files/x')],
    [['DeleteFile'], 's3:DeleteObject', object('removed-files/x')],
    [['CreateVideo', 'GetImagePreview'], 's3:PutObject', object('files/x')],
    [
      ['VideoWorker', 'GenerateImages', 'RunModelAction', 'UploadNativeFile', 'DeleteFile', 'Mcp'],
      's3:DeleteObject',
      object('files/x'),
    ],
    [['UploadNativeFile', 'CreateFile'], 's3:GetObject', object('files/x')],
    [['GenerateImages'], 'dynamodb:Query', tableArn('FilesTable')],
    [['GenerateContent', 'DeleteFile', 'EditImages'], 'dynamodb:DeleteItem', tableArn('FilesTable')],
    [['ListFiles'], 'dynamodb:GetItem', tableArn('FilesTable')],
    [['CreateVideo'], 'dynamodb:UpdateItem', tableArn('FilesTable')],
    [['RemoveLeftovers'], 'dynamodb:Scan', tableArn('FilesTable')],
    [['GetFile'], 's3:GetObject', object('uploads/x')],
    [['GetImagePreview'], 's3:DeleteObject', object('previews/x')],
    [['GetVideo'], 'dynamodb:PutItem', tableArn('SessionsTable')],
    [['ListKeys'], 'dynamodb:Scan', tableArn('KeysTable')],
    [['CreateKey'], 'dynamodb:UpdateItem', tableArn('KeysTable')],
    [['CreateSession', 'GetShare'], 'dynamodb:GetItem', tableArn('KeysTable')],
    [['ChangeRole', 'Mcp'], 'dynamodb:PutItem', tableArn('KeysTable')],
    [['RemovePerson'], 'dynamodb:DeleteItem', tableArn('KeysTable')],
    [['CreateKey', 'ChangeRole', 'DeleteInvitation'], 'dynamodb:PutItem', tableArn('MembersTable')],
    [['RevokeKey'], 'dynamodb:DeleteItem', tableArn('MembersTable')],
    [['ListPeople', 'CreateInvitation'], 'dynamodb:UpdateItem', tableArn('MembersTable')],
    [['GetPerson'], 'dynamodb:Query', tableArn('MembersTable')],
    [['RevokeKey', 'RemovePerson'], 'dynamodb:DeleteItem', tableArn('AuditTable')],
    [['ChangeRole'], 'dynamodb:UpdateItem', tableArn('AuditTable')],
    [['GetCosts'], 'dynamodb:Query', tableArn('ChargesTable')],
    [['ListCharges', 'CancelVideo'], 'dynamodb:PutItem', tableArn('ChargesTable')],
    [['ListCharges'], 'dynamodb:Scan', tableArn('ChargesTable')],
    [['GetCosts'], 'dynamodb:UpdateItem', tableArn('UsageTable')],
    [['CreateWebhook'], 'secretsmanager:GetSecretValue', upstreamKey],
    [
      ['VideoWorker', 'ListWebhooks', 'GetWebhook', 'UpdateWebhook', 'ResendWebhookDelivery'],
      'secretsmanager:GetSecretValue',
      webhookKey,
    ],
    [['GetWebhook', 'TestWebhook'], 'dynamodb:UpdateItem', endpoints],
    [['UpdateWebhook'], 'dynamodb:PutItem', endpoints],
    [['UpdateWebhook'], 'dynamodb:DeleteItem', endpoints],
    [['TestWebhook'], 'dynamodb:Query', endpoints],
    [['ListWebhookDeliveries'], 'dynamodb:PutItem', tableArn('WebhookDeliveriesTable')],
    [['GetSpendLimit'], 'dynamodb:UpdateItem', tableArn('AccountsTable')],
    [['CreateVideo'], 'dynamodb:PutItem', tableArn('AccountsTable')],
    [['CreateVideo'], 'dynamodb:DeleteItem', tableArn('AccountsTable')],
    [['Sweeper'], 'dynamodb:Scan', tableArn('AccountsTable')],
    [['CreateVideo'], 'dynamodb:GetItem', tableArn('ReservationsTable')],
    [['VideoWorker', 'Sweeper'], 'dynamodb:PutItem', tableArn('ReservationsTable')],
    [['VideoWorker'], 'dynamodb:UpdateItem', tableArn('ReservationsTable')],
    [['Sweeper'], 'dynamodb:Scan', tableArn('ReservationsTable')],
    [['GetVideo'], 'dynamodb:DeleteItem', tableArn('ReservationsTable')],
    [['CreateVideo'], 'dynamodb:Query', `${tableArn('ReservationsTable')}/index/due`],
    [['GetShare'], 'dynamodb:Query', `${tableArn('SharesTable')}/index/by-account`],
    [['GetShare'], 'dynamodb:UpdateItem', tableArn('SharesTable')],
    [['ListShares', 'Mcp'], 'dynamodb:GetItem', tableArn('SharesTable')],
    [['CreateShare'], 'dynamodb:DeleteItem', tableArn('SharesTable')],
    [['RevokeShare'], 'dynamodb:PutItem', tableArn('SharesTable')],
  ];
  for (const [names, action, resource] of TABLE)
    for (const name of names) {
      const principal = service.cloud.functionId(name);
      const entry = { principal, action, resource, service: '', status: 0, time: 0, request: 0 };
      assert.equal(await isAllowed(policies.get(principal) ?? [], entry), false, `${name} ${action}`);
    }
});

test('with a KMS key of the customer, each role may use it for the calls of its function, and for nothing else', async () => {
  const kmsKeyArn = `arn:aws:kms:us-east-1:${ACCOUNT}:key/11111111-2222-3333-4444-555555555555`;
  const stack = await synthesizedWith({ ...TEST_CONFIG, kmsKeyArn });
  const files = { templateFile: `${stack}.template.json`, assetsFile: `${stack}.assets.json` };
  const policies = await readPolicies(files);
  const seen = (await service.cloud.calls()).filter(({ principal }) => policies.has(principal));
  const needed = new Set(seen.flatMap(keyNeeds).map(describeNeed));
  assert.ok(needed.size > 60);

  const resourcePolicy = documentedKeyPolicy(ACCOUNT);
  const isKeyAllowed = ({ principal, service: through, action }: KeyNeed, context = viaService(through)) =>
    isAllowedBy(policies.get(principal) ?? [], {
      principal,
      action,
      resource: kmsKeyArn,
      context,
      resourcePolicy,
    });
  const [missing, excessive, direct]: [string[], string[], string[]] = [[], [], []];
  for (const principal of policies.keys())
    for (const need of ALL_KEY_NEEDS.map((each) => ({ principal, ...each }))) {
      const title = describeNeed(need);
      const allowed = await isKeyAllowed(need);
      if (needed.has(title) && !allowed) missing.push(title);
      if (!needed.has(title) && allowed) excessive.push(title);
      if (allowed && (await isKeyAllowed(need, {}))) direct.push(title);
    }
  assert.deepEqual({ missing, excessive, direct }, { missing: [], excessive: [], direct: [] });
});

const viaService = (service: string): Record<string, string> => ({
  'kms:ViaService': `${service}.us-east-1.amazonaws.com`,
});
