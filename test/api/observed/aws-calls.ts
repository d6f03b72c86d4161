import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMinute } from '../../../functions/videos/domain/step-queue.ts';
import { call, createVideo, HELD_BACK, MODEL, readId, waitFor } from '../../support/http.ts';
import { file, JPEG, PNG } from '../../support/images.ts';
import { signIn } from '../../support/sessions.ts';
import { putFile } from '../../support/stored-files.ts';
import { service } from './service.ts';

/** Creates look once a minute at how old the queue is: that look is not part of a create. */
const callsDuring = async (functionName: string, act: () => Promise<unknown>): Promise<string[]> => {
  const minute = toMinute(Date.now());
  const calls = await warmCalls(functionName, act);
  return toMinute(Date.now()) === minute ? calls : warmCalls(functionName, act);
};

/** The AWS calls that a function made while something happened; its key is warm by then. */
const warmCalls = async (functionName: string, act: () => Promise<unknown>): Promise<string[]> => {
  await act();
  await service.cloud.clearCalls();
  await act();
  const calls = await service.cloud.calls();
  const principal = service.cloud.functionId(functionName);
  return calls.filter((entry) => entry.principal === principal).map(({ action }) => action);
};

test('a create with a warm key makes two calls', async () => {
  const create = () => createVideo(service, HELD_BACK);
  assert.deepEqual(await callsDuring('CreateVideo', create), ['dynamodb:PutItem', 'sqs:SendMessage']);
});

test('a create with two images makes one call more an image', async () => {
  const create = () => {
    const form = new FormData();
    form.append('model', MODEL);
    form.append('prompt', HELD_BACK);
    for (const name of ['input_reference', 'last_frame']) form.append(name, file(PNG, 'a.png', 'image/png'));
    return call(service, 'POST', '/v1/videos', { body: form });
  };
  assert.deepEqual(await callsDuring('CreateVideo', create), [
    's3:PutObject',
    's3:PutObject',
    'dynamodb:PutItem',
    'sqs:SendMessage',
  ]);
});

test('a create with files reads the item of each file once, and the head of its bytes', async () => {
  const ids = [await putFile(service, 'tester', PNG), await putFile(service, 'tester', JPEG)];
  const json = { model: MODEL, prompt: HELD_BACK };
  const createWith = (fields: object) => () =>
    call(service, 'POST', '/v1/videos', { json: { ...json, ...fields } });
  const [first, second] = ids.map((file_id) => ({ file_id }));
  const once = createWith({ reference_images: [first, second] });
  const twice = createWith({ reference_images: [first, second, first] });
  // The files are read side by side, so their calls come in any order.
  for (const create of [once, twice])
    assert.deepEqual((await callsDuring('CreateVideo', create)).toSorted(), [
      'dynamodb:GetItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      's3:GetObject',
      's3:GetObject',
      'sqs:SendMessage',
    ]);
});

test('status, generation and content make one call each', async () => {
  const id = readId(
    await call(service, 'POST', '/v1/videos', {
      json: { model: MODEL, prompt: 'a quiet harbour', seconds: 4 },
    }),
  );
  await waitFor(service, id);
  const get = (path: string) => () => call(service, 'GET', path);
  assert.deepEqual(await callsDuring('GetVideo', get(`/v1/videos/${id}`)), ['dynamodb:GetItem']);
  assert.deepEqual(await callsDuring('GetGeneration', get(`/v1/video/generations/${id}`)), [
    'dynamodb:GetItem',
  ]);
  assert.deepEqual(await callsDuring('DownloadVideo', get(`/v1/videos/${id}/content`)), ['dynamodb:GetItem']);
  assert.deepEqual(await callsDuring('ListVideos', get('/v1/videos')), ['dynamodb:Query']);
  assert.deepEqual(await callsDuring('ListModels', get('/v1/models')), []);
});

/** How many requests a function sent to AWS; a transaction is one. */
const countRequests = async (functionName: string, act: () => Promise<unknown>): Promise<number> => {
  await warmCalls(functionName, act);
  const principal = service.cloud.functionId(functionName);
  const calls = (await service.cloud.calls()).filter((entry) => entry.principal === principal);
  return new Set(calls.map(({ request }) => request)).size;
};

test('an image makes two calls, and one more with an Idempotency-Key', async () => {
  let made = 0;
  const generate = (n: number, keyed: boolean) => async () => {
    made += 1;
    const headers = keyed ? { 'idempotency-key': `calls ${made}` } : {};
    const json = { prompt: 'A fox', size: '512x512', n };
    const { status } = await call(service, 'POST', '/v1/images/generations', { json, headers });
    assert.equal(status, 200);
  };
  assert.equal(await countRequests('GenerateImages', generate(1, false)), 2);
  assert.equal(await countRequests('GenerateImages', generate(1, true)), 3);
  assert.equal(await countRequests('GenerateImages', generate(3, true)), 7);
});

test('a warm session costs no call more than a warm key', async () => {
  const session = await signIn(service, 'tester');
  const body = { model: MODEL, prompt: HELD_BACK };
  const create = () => session.call('POST', '/v1/videos', body);
  assert.deepEqual(await callsDuring('CreateVideo', create), ['dynamodb:PutItem', 'sqs:SendMessage']);
  const path = `/v1/videos/${readId(await create())}`;
  assert.deepEqual(await callsDuring('GetVideo', () => session.call('GET', path)), ['dynamodb:GetItem']);
  assert.deepEqual(await callsDuring('ListModels', () => session.call('GET', '/v1/models')), []);
});
