import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createVideo, HELD_BACK, MODEL, readId, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { file, JPEG, PNG } from '../../support/images.ts';
import { signIn } from '../../support/sessions.ts';
import { putFile } from '../../support/stored-files.ts';
import { service } from './service.ts';

const TRIES = 3;

/**
 * The AWS calls that a function makes for one request. Each of its processes reads a key again after a minute, and creates
 * look once a minute at how old the queue is: such calls are not part of a request, so the try with the fewest counts.
 */
const callsFor = async (functionName: string, act: () => Promise<unknown>) => {
  const principal = service.cloud.functionId(functionName);
  await act();
  const tries: Awaited<ReturnType<typeof service.cloud.calls>>[] = [];
  while (tries.length < TRIES) {
    await service.cloud.clearCalls();
    await act();
    tries.push((await service.cloud.calls()).filter((entry) => entry.principal === principal));
  }
  return tries.toSorted((one, other) => one.length - other.length)[0] ?? [];
};

const callsDuring = async (functionName: string, act: () => Promise<unknown>): Promise<string[]> =>
  (await callsFor(functionName, act)).map(({ action }) => action);

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
const countRequests = async (functionName: string, act: () => Promise<unknown>): Promise<number> =>
  new Set((await callsFor(functionName, act)).map(({ request }) => request)).size;

test('an image makes two calls, and one more with an Idempotency-Key', async () => {
  let made = 0;
  const generate = (n: number, keyed: boolean) => async () => {
    made += 1;
    const headers = keyed ? { 'idempotency-key': `calls ${made}` } : {};
    const json = { model: IMAGE_MODEL, prompt: 'A fox', size: '512x512', n };
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
