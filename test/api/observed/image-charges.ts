import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import {
  bearer,
  CHAT,
  chatBody,
  EDITS,
  editBody,
  GENERATIONS,
  generationBody,
  NATIVE,
  nativeBody,
  post,
  vendor,
} from '../../support/images/requests.ts';
import { plainItem } from '../../support/plain-item.ts';
import { service } from './service.ts';

/** All charge records of an account. */
const readCharges = async (account: string): Promise<Record<string, unknown>[]> => {
  const client = new DynamoDBClient(service.operator);
  const TableName = service.cloud.tableName('ChargesTable');
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  client.destroy();
  return Items.map(plainItem).filter((item) => item.account === account);
};

describe('a use of the image model', () => {
  test('is recorded once for each image, and never for a failure', async () => {
    const key = await service.issueKey('painter');
    const body = { ...chatBody('A fox'), imageConfig: { imageSize: '1k' } };
    const made = await post(service, CHAT, bearer(key), body);
    await post(service, NATIVE, vendor(key), nativeBody('A fox [sample: drafts 2]'));
    await post(service, GENERATIONS, bearer(key), { ...generationBody('A fox'), size: '2K' });
    await post(service, EDITS, bearer(key), { ...editBody('A fox'), size: '4K' });
    for (const wish of ['blocked', 'text only', 'error 400', 'error 503 always']) {
      await post(service, CHAT, bearer(key), chatBody(`A fox [sample: ${wish}]`));
      await post(service, GENERATIONS, bearer(key), generationBody(`A fox [sample: ${wish}]`));
    }
    // The upstream has made this image, and charges for it.
    const damaged = { ...generationBody('A fox [sample: truncated image]'), size: '5:4' };
    const { status } = await post(service, GENERATIONS, bearer(key), { ...damaged, output_format: 'png' });
    assert.equal(status, 502);
    assert.ok(service.logs().some((line) => line.includes('"message":"image not converted"')));
    const records = await readCharges('painter');
    assert.deepEqual(
      records.map(({ kind, size, images, amount }) => [kind, size, images, amount]).toSorted(),
      [
        ['image', '1K', 1, '0.07'],
        ['image', '1K', 1, '0.07'],
        ['image', '2K', 1, null],
        ['image', '4K', 1, null],
        ['image', '512', 1, null],
      ],
    );
    const record = records.find(({ id }) => id === `img_${made.headers.get('x-request-id')}`);
    assert.equal(record?.model, IMAGE_MODEL);
    assert.match(String(record?.keyId), /^key_/);
    assert.equal(record?.fileId, made.headers.get('x-file-id'));
    assert.equal(Reflect.get(Object(record?.tokens), 'total'), made.body.usage.total_tokens);
  });

  test('whose client leaves does no harm', async () => {
    const leave = new AbortController();
    const request = fetch(`${service.baseUrl}${CHAT}`, {
      method: 'POST',
      headers: { ...bearer(service.apiKey), 'content-type': 'application/json' },
      body: JSON.stringify({ ...chatBody('A fox [sample: delay 2s]'), stream: true }),
      signal: leave.signal,
    });
    await request;
    leave.abort();
    await sleep(2500);
    const outcomes = service.cloud.invocations().map(({ outcome }) => outcome);
    assert.deepEqual([...new Set(outcomes)], ['ok']);
    assert.equal((await post(service, CHAT, bearer(service.apiKey), chatBody('A fox'))).status, 200);
  });

  test('leaves no prompt, key or image in the logs', () => {
    const logs = service.logs().join('\n');
    assert.ok(logs.includes('"status":400'));
    for (const secret of ['A fox', service.apiKey, '/9j/']) assert.ok(!logs.includes(secret), secret);
  });
});
