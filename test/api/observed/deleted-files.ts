import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { fileKey } from '../../../functions/files/domain/file-keys.ts';
import { FILE_EXPIRY_METADATA } from '../../../functions/files/domain/files.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { jpegWithBytes, readUpload, send } from '../../support/files.ts';
import { call, MODEL, readError, readId } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { dynamo, openAccount, s3, table } from './file-accounts.ts';
import { service } from './service.ts';

describe('the signed address of a deleted file', () => {
  const isUsable = async (key: string, id: string): Promise<number> => {
    const json = { model: MODEL, prompt: 'a fox [sample: error 400]', input_reference: { file_id: id } };
    return (await call(service, 'POST', '/v1/videos', { key, json })).status;
  };

  for (const [title, uploads] of [
    ['that never arrived', 0],
    ['that had arrived', 1],
  ] as const)
    test(`takes no bytes for a file ${title}`, async () => {
      const { offer, remove, find, key, keys } = await openAccount();
      const offered = await offer(5000);
      const [id, upload] = [readId(offered), readUpload(offered.body)];
      for (let count = 0; count < uploads; count += 1)
        assert.deepEqual(await send(upload, jpegWithBytes(5000)), [200, undefined]);
      assert.equal(await isUsable(key, id), uploads === 0 ? 400 : 200);
      assert.equal((await remove(id)).status, 200);
      assert.deepEqual(await send(upload, jpegWithBytes(5000)), [412, 'PreconditionFailed']);
      assert.deepEqual([(await find(id)).status, await isUsable(key, id)], [404, 400]);
      assert.equal((await call(service, 'GET', `/v1/files/${id}/content`, { key })).status, 404);
      assert.deepEqual((await call(service, 'GET', '/v1/files', { key })).body.data, []);
      assert.equal((await keys()).length, 1);
    });

  test('takes no bytes where the deletion comes while they are under way', async () => {
    const { offer, remove, key } = await openAccount();
    const offered = await offer(500_000);
    const [id, { url, headers }] = [readId(offered), readUpload(offered.body)];
    const bytes = jpegWithBytes(500_000);
    const put = request(url, { method: 'PUT', headers: { ...headers, 'content-length': bytes.length } });
    const answered = once(put, 'response');
    put.write(bytes.subarray(0, 200_000));
    assert.equal((await remove(id)).status, 200);
    put.end(bytes.subarray(200_000));
    const [response] = await answered;
    response.resume();
    assert.equal(response.statusCode, 412);
    assert.equal(await isUsable(key, id), 400);
  });

  test('leads an object that comes all the same to the clean-up, and no file is made of it', async () => {
    const { account, offer, remove, find, age, key, keys, used } = await openAccount();
    const id = readId(await offer(5000));
    assert.equal((await remove(id)).status, 200);
    const Key = fileKey(account, id);
    const Metadata = { [FILE_EXPIRY_METADATA]: String(Date.now() + 3_600_000) };
    const Body = jpegWithBytes(5000);
    await s3.send(new PutObjectCommand({ Bucket: service.mediaBucket, Key, Body, Metadata }));
    assert.deepEqual([(await find(id)).status, await isUsable(key, id), await used()], [404, 400, 5000]);
    await service.cloud.runSchedule('EveryHour');
    assert.deepEqual([await keys(), await used()], [[Key], 5000]);
    await age(id, { due_at: Date.now() });
    await service.cloud.runSchedule('EveryHour');
    assert.deepEqual([await keys(), await used()], [[], 0]);
  });
});

test('a file whose item is gone, or whose time is over, cannot be used although its bytes are there', async () => {
  const { account, store, key, age } = await openAccount();
  const [lost, expired] = [readId(await store(1000)), readId(await store(1000))];
  await dynamo.send(new DeleteItemCommand({ TableName: table, Key: encode({ account, id: lost }) }));
  await age(expired, { expiresAt: Date.now() - 1 });
  const fields = { model: MODEL, prompt: 'a fox [sample: error 400]' };
  for (const id of [lost, expired])
    for (const [path, json] of [
      ['/v1/videos', { ...fields, input_reference: { file_id: id } }],
      ['/v1/images/edits', { model: IMAGE_MODEL, prompt: 'a fox', images: [{ file_id: id }] }],
    ] as const) {
      const answer = await call(service, 'POST', path, { key, json });
      assert.deepEqual([answer.status, readError(answer).code], [400, 'invalid_request'], path);
      assert.match(readError(answer).message, /file not found/);
    }
});
