import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { gatewayEvent } from '../../support/functions-in-process.ts';
import { CHAT, EDITS, GENERATIONS, NATIVE } from '../../support/images/requests.ts';
import type { Case, Family } from '../corpus/case.ts';
import { CREATE_CASES } from '../corpus/create-cases.ts';
import { IMAGE_CASES } from '../corpus/image-cases.ts';
import { answer, service } from './service.ts';

const message = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^\P{Cc}+$/u);
const ERRORS = {
  openAi: z.strictObject({
    error: z.strictObject({ message, type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
  native: z.strictObject({
    error: z.strictObject({ message, code: z.number(), status: z.string() }),
  }),
} as const;

const keyFor = (family: Family): Record<string, string> =>
  family === 'native'
    ? { 'x-vendor-api-key': service.apiKey }
    : { authorization: `Bearer ${service.apiKey}` };

const errorFault = ({ family, code, param }: Case, status: number, body: unknown): string | undefined => {
  if (family === 'native') {
    const { success, data } = ERRORS.native.safeParse(body);
    return success && data.error.code === status ? undefined : 'another error form';
  }
  const { success, data } = ERRORS.openAi.safeParse(body);
  if (!success) return 'another error form';
  if (code !== undefined && data.error.code !== code) return `the code ${data.error.code}`;
  const names = data.error.param === param || data.error.param?.startsWith(`${param}.`);
  if (param !== undefined && !names && !data.error.param?.startsWith(`${param}[`))
    return `the param ${data.error.param}`;
  return undefined;
};

type Sent = { readonly status: number; readonly requestId: unknown; readonly text: string };
type Send = (tried: Case) => Promise<Sent>;

const toHeaders = ({ key, family, headers }: Case) => ({ ...(key ?? keyFor(family)), ...headers });

const FUNCTIONS: Readonly<Record<string, readonly [name: string, path?: Record<string, string>]>> = {
  '/v1/videos': ['CreateVideo'],
  [CHAT]: ['ChatCompletions'],
  [GENERATIONS]: ['GenerateImages'],
  [EDITS]: ['EditImages'],
  [NATIVE]: ['GenerateContent', { modelAction: NATIVE.slice('/v1beta/models/'.length) }],
};
/**
 * For the fields of an object: whatever they are, the gateway passes the body on as it is.
 */
const sendToFunction: Send = async (tried) => {
  const [name, path] = FUNCTIONS[tried.path] ?? assert.fail(tried.path);
  const body = String(tried.body);
  const event = gatewayEvent({
    method: tried.method,
    headers: toHeaders(tried),
    body,
    ...(path && { path }),
  });
  const { statusCode, headers, body: text } = await answer(name, event);
  return { status: statusCode, requestId: headers['x-request-id'], text };
};

/** Describes what is wrong with the response to a case; undefined if nothing is. */
const findFault = async (tried: Case, send: Send): Promise<string | undefined> => {
  const { status, requestId, text } = await send(tried);
  if (!tried.statuses.includes(status)) return `${status} ${text.slice(0, 200)}`;
  if (typeof requestId !== 'string') return 'no x-request-id';
  return errorFault(tried, status, JSON.parse(text));
};

const findFaults = async (cases: readonly Case[], send: Send): Promise<string[]> => {
  const faults: string[] = [];
  for (const tried of cases) {
    const fault = await findFault(tried, send).catch(String);
    if (fault !== undefined) faults.push(`${tried.title}: ${fault}`);
  }
  return faults;
};

const CORPUS: Readonly<Record<string, readonly [readonly Case[], Send]>> = {
  'fields of a new video': [CREATE_CASES, sendToFunction],
  'fields of an image request': [IMAGE_CASES, sendToFunction],
};

describe('a malformed request is refused in the form of its endpoint, and nothing breaks:', () => {
  for (const [title, [cases, send]] of Object.entries(CORPUS))
    test(`${cases.length} ${title}`, async () => assert.deepEqual(await findFaults(cases, send), []));

  test('there are at least 600 of them, no two alike', () => {
    const all = Object.values(CORPUS).flatMap(([cases]) => cases);
    const titles = new Set(all.map((tried) => JSON.stringify([tried.title, tried.body, tried.path])));
    assert.ok(titles.size >= 600, `${titles.size} different cases`);
  });

  test('none of them left a task, a charge or an object, or reached the upstream', async () => {
    const dynamo = new DynamoDBClient(service.cloud.clientConfig('operator'));
    for (const table of ['TasksTable', 'ChargesTable']) {
      const scan = {
        TableName: service.cloud.tableName(table),
        FilterExpression: 'account = :account',
        ExpressionAttributeValues: { ':account': { S: 'tester' } },
      };
      const { Count } = await dynamo.send(new ScanCommand(scan));
      assert.equal(Count, 0, table);
    }
    const s3 = new S3Client(service.cloud.clientConfig('operator'));
    const Bucket = service.cloud.bucketName('MediaBucket');
    assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount, 0);
    assert.deepEqual(service.generator.requests(), []);
    for (const client of [dynamo, s3]) client.destroy();
  });
});
