import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { DynamoDBClient, GetItemCommand, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import type { AuditType } from '../../functions/identity/domain/audit.ts';
import { type Attributes, encode } from '../../functions/platform/aws/attributes.ts';
import { newEndpointId } from '../../functions/platform/domain/ids.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { storedEntries } from '../support/audit.ts';
import { aWebhookEndpoint } from '../support/builders/webhook.ts';
import { startFaultyDynamo, TRANSACTION_FAULTS, type TransactionFault } from '../support/faulty-dynamo.ts';
import { openFunctions } from '../support/functions-in-process.ts';
import { JPEG } from '../support/images.ts';
import { putImage, putVideo } from '../support/library-items.ts';

/** A change and its entry are one transaction: whatever happens to it, neither exists without the other. */

const functions = await openFunctions();
const { clientConfig } = functions;
const faulty = await startFaultyDynamo(clientConfig.endpoint);
after(() => faulty.close());
// The functions are not loaded yet; their clients are made when they are.
process.env.AWS_ENDPOINT_URL = faulty.url;

const dynamo = new DynamoDBClient(clientConfig);
const table = (variable: string): string => functions.variable(variable);
const stack = {
  clientConfig,
  outputs: {
    KeyTableName: table('KEY_TABLE'),
    MemberTableName: table('MEMBER_TABLE'),
    AuditTableName: table('AUDIT_TABLE'),
    TaskTableName: table('TASK_TABLE'),
  },
};
const place = {
  operator: clientConfig,
  mediaBucket: table('MEDIA_BUCKET'),
  filesTable: table('FILE_TABLE'),
  outputs: stack.outputs,
};

const read = async (variable: string, key: Parameters<typeof encode>[0]): Promise<Attributes | undefined> => {
  const command = new GetItemCommand({ TableName: table(variable), Key: encode(key), ConsistentRead: true });
  return (await dynamo.send(command)).Item;
};

/** How many items of an account a table has. */
const countItems = async (variable: string, account: string, ids: string): Promise<number> => {
  const pages = await Array.fromAsync(
    paginateScan({ client: dynamo }, { TableName: table(variable), ConsistentRead: true }),
  );
  const items = pages.flatMap(({ Items }) => Items ?? []);
  return items.filter(({ account: owner, id }) => owner?.S === account && id?.S?.startsWith(ids)).length;
};

type Access = { readonly account: string; readonly plain: string; readonly admin: string };
type Prepared = {
  readonly act: () => Promise<{ readonly statusCode: number }>;
  /** How often the change was made. */
  readonly changes: () => Promise<number>;
};

const newImage = ({ account }: Access) =>
  putImage(place, account, { prompt: 'dusk', createdAt: Date.now(), bytes: JPEG });

const ACTIONS: Readonly<Partial<Record<AuditType, (access: Access) => Promise<Prepared>>>> = {
  'api_key.created': async ({ account, admin }) => {
    const before = await countItems('KEY_TABLE', account, 'key_');
    const path = { project_id: account };
    return {
      act: () => functions.get('create-key', { method: 'POST', key: admin, path, json: { name: 'new' } }),
      changes: async () => (await countItems('KEY_TABLE', account, 'key_')) - before,
    };
  },
  'share.created': async (access) => {
    const { account, plain } = access;
    const json = { file_id: await newImage(access) };
    return {
      act: () => functions.get('create-share', { method: 'POST', key: plain, json }),
      changes: () => countItems('SHARE_TABLE', account, 'share_'),
    };
  },
  'webhook_endpoint.updated': async ({ account, plain }) => {
    const id = newEndpointId(Date.now());
    const { oldSecret: _, ...endpoint } = aWebhookEndpoint({ id, account });
    const Item = encode({ ...endpoint, name: 'old', secret: 'sealed', secretHint: 'whsec_…abcde' });
    await dynamo.send(new PutItemCommand({ TableName: table('WEBHOOK_ENDPOINT_TABLE'), Item }));
    const path = { webhook_endpoint_id: id };
    return {
      act: () => functions.get('update-webhook', { method: 'POST', key: plain, path, json: { name: 'new' } }),
      changes: async () =>
        (await read('WEBHOOK_ENDPOINT_TABLE', { account, id }))?.name?.S === 'new' ? 1 : 0,
    };
  },
  'video.deleted': async ({ account, plain }) => {
    const id = await putVideo(place, account, { prompt: 'dusk', createdAt: Date.now() });
    return {
      act: () => functions.get('delete-video', { method: 'DELETE', key: plain, path: { task_id: id } }),
      changes: async () => {
        const item = await read('TASK_TABLE', { id });
        return item === undefined || JSON.stringify(item).includes('"delete"') ? 1 : 0;
      },
    };
  },
  'file.deleted': async (access) => {
    const id = await newImage(access);
    const path = { file_id: id };
    return {
      act: () => functions.get('delete-file', { method: 'DELETE', key: access.plain, path }),
      changes: async () =>
        (await read('FILE_TABLE', { account: access.account, id }))?.removed === undefined ? 0 : 1,
    };
  },
};

/** The status that the client gets, if any, and how often the change is made. */
const EXPECTED: Readonly<Record<TransactionFault, readonly [status: number | undefined, changes: number]>> = {
  'refused once': [200, 1],
  'always refused': [503, 0],
  'response lost once': [200, 1],
  'always lost': [503, 1],
  'conflict once': [200, 1],
  'killed before': [undefined, 0],
  'killed after': [undefined, 1],
};

const openAccount = async (): Promise<Access> => {
  const account = `faulty-${randomUUID()}`;
  const issue = (kind: 'plain' | 'admin') => issueApiKey(stack, { account, name: kind, kind });
  return { account, plain: await issue('plain'), admin: await issue('admin') };
};

const countEntries = async (account: string, type: string): Promise<number> =>
  (await storedEntries(dynamo, table('AUDIT_TABLE'), account)).filter((entry) => entry.type === type).length;

for (const [type, prepare] of Object.entries(ACTIONS))
  describe(`a change and its entry exist together or not at all: ${type}`, () => {
    for (const fault of TRANSACTION_FAULTS)
      test(fault, async () => {
        const access = await openAccount();
        const { act, changes } = await prepare(access);
        const before = await countEntries(access.account, type);
        const answer = await faulty.during(fault, act);
        assert.deepEqual([answer?.statusCode, await changes()], EXPECTED[fault]);
        assert.equal((await countEntries(access.account, type)) - before, EXPECTED[fault][1]);
        // Lines are logged for entries that the function knows of.
        const lines = functions.takeLog().filter((line) => line.message === 'audit' && line.type === type);
        assert.equal(lines.length, answer?.statusCode === 200 ? 1 : 0);
      });
  });

for (const type of ['video.deleted', 'file.deleted', 'webhook_endpoint.updated'] as const)
  test(`five requests at once make one change and one entry: ${type}`, async () => {
    const access = await openAccount();
    const { act, changes } = (await ACTIONS[type]?.(access)) ?? assert.fail(type);
    const statuses = (await Promise.all(Array.from({ length: 5 }, act))).map(({ statusCode }) => statusCode);
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status !== 404),
      [200],
      String(statuses),
    );
    assert.deepEqual([await changes(), await countEntries(access.account, type)], [1, 1]);
  });
