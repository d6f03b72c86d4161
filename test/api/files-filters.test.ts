import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import { toItem } from '../../functions/files/adapters/dynamo-files.ts';
import type { StoredFile } from '../../functions/files/domain/files.ts';
import { newFileId } from '../../functions/platform/domain/ids.ts';
import { PEOPLE } from '../support/charges.ts';
import { call, readError } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();
const account = `filtered-${randomUUID()}`;
const key = await service.issueKey(account);

const BEGIN = Math.floor(Date.now() / 1000) - 1000;
const KEYS = ['key_0000000000000000', 'key_1111111111111111'] as const;

/** A file every 500 ms; every third is an upload, the others are generated images. */
const FILES: readonly StoredFile[] = Array.from({ length: 24 }, (_, position) => {
  const createdAt = BEGIN * 1000 + position * 500;
  const id = newFileId(createdAt);
  const common = {
    id,
    account,
    name: `${id}.png`,
    bytes: 1,
    mimeType: 'image/png',
    createdAt,
    arrived: true,
  };
  const expiresAt = createdAt + 86_400_000;
  if (position % 3 === 0) return { ...common, expiresAt, purpose: 'vision' };
  const keyId = KEYS[Math.floor(position / 8) % 2] ?? '';
  const output = {
    model: IMAGE_MODEL,
    prompt: 'A fox',
    size: '1024x1024',
    keyId,
    durationMs: 4000,
    personId: [PEOPLE[0], undefined][position % 2],
    amount: '0.04',
    currency: 'USD',
  };
  return { ...common, expiresAt, purpose: 'output', output };
});

before(async () => {
  const client = new DynamoDBClient(service.operator);
  const TableName = service.filesTable;
  const put = (file: StoredFile) =>
    client.send(new PutItemCommand({ TableName, Item: toItem(file, file.expiresAt) }));
  await Promise.all(FILES.map(put));
});

const pageSchema = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

const readAll = async (query: string): Promise<string[]> => {
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const answer = await call(service, 'GET', `/v1/files?limit=7&${query}${after}`, { key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data, last_id, has_more } = pageSchema.parse(answer.body);
    seen.push(...data.map(({ id }) => id));
    if (!has_more) return seen;
    after = `&after=${last_id}`;
  }
};

describe('a filtered list has every file that passes once, in order', () => {
  const CASES: readonly (readonly [query: string, passes: (file: StoredFile) => boolean])[] = [
    ['purpose=output', ({ purpose }) => purpose === 'output'],
    [`model=${IMAGE_MODEL}`, ({ output }) => output !== undefined],
    [`api_key_id=${KEYS[1]}`, ({ output }) => output?.keyId === KEYS[1]],
    [`user_id=${PEOPLE[0]}`, ({ output }) => output?.personId === PEOPLE[0]],
    [`user_id=${PEOPLE[1]}`, () => false],
    [`created_after=${BEGIN + 3}`, ({ createdAt }) => createdAt >= (BEGIN + 3) * 1000],
    [`created_before=${BEGIN + 3}`, ({ createdAt }) => createdAt < (BEGIN + 3) * 1000],
    [
      `purpose=output&created_after=${BEGIN + 2}&created_before=${BEGIN + 6}`,
      ({ purpose, createdAt }) =>
        purpose === 'output' && createdAt >= (BEGIN + 2) * 1000 && createdAt < (BEGIN + 6) * 1000,
    ],
    [`created_after=${BEGIN + 9}&created_before=${BEGIN + 4}`, () => false],
    ['created_before=0', () => false],
    ['created_after=99999999999', () => false],
  ];
  for (const [query, passes] of CASES)
    test(query, async () => {
      const expected = FILES.filter(passes).map(({ id }) => id);
      assert.deepEqual(await readAll(`${query}&order=asc`), expected);
      assert.deepEqual(await readAll(query), expected.toReversed());
    });

  test('after a file outside of the range', async () => {
    const [oldest, newest] = [FILES[0]?.id, FILES.at(-1)?.id];
    const query = `created_after=${BEGIN + 5}&created_before=${BEGIN + 6}`;
    const count = async (rest: string) => (await readAll(`${query}${rest}`)).length;
    assert.deepEqual(
      [
        await count(`&after=${newest}`),
        await count(`&after=${oldest}`),
        await count(`&order=asc&after=${oldest}`),
        await count(`&order=asc&after=${newest}`),
      ],
      [2, 0, 2, 0],
    );
  });
});

test('a generated image has its model, prompt, size, key, person and charge', async () => {
  const { id = '' } = FILES.at(-1) ?? {};
  const { body } = await call(service, 'GET', `/v1/files/${id}`, { key });
  assert.deepEqual(
    [body.model, body.prompt, body.size, body.api_key_id, body.user_id, body.charge],
    [IMAGE_MODEL, 'A fox', '1024x1024', KEYS[0], null, { amount: '0.04', currency: 'USD' }],
  );
});

describe('a filter that is not understood is named', () => {
  for (const [param, query] of [
    ['model', 'model=dall-e-3'],
    ['api_key_id', 'api_key_id=key_1'],
    ['user_id', 'user_id=key_0123456789abcdef'],
    ['created_after', 'created_after=yesterday'],
    ['created_before', 'created_before=1e3'],
  ] as const)
    test(query, async () => {
      const answer = await call(service, 'GET', `/v1/files?${query}`, { key });
      assert.deepEqual([answer.status, readError(answer).param], [400, param]);
    });
});
