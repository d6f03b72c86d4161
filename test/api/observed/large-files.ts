import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { call, MODEL, readError, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { bearer, EDITS, post } from '../../support/images/requests.ts';
import { largePng } from '../../support/images.ts';
import { longOr } from '../../support/long-tests.ts';
import { putFile } from '../../support/stored-files.ts';
import { service as observed } from './service.ts';

const account = 'with-large-files';
const service = { ...observed, apiKey: await observed.issueKey(account) };

let stored: Promise<string[]> | undefined;
const largeFiles = (): Promise<string[]> => {
  stored ??= Promise.all([1, 2, 3].map(() => putFile(service, account, largePng(10_000_000))));
  return stored;
};

/** How many large requests the generator has taken. */
const largeRequests = (): number =>
  service.generator
    .requests()
    .filter(({ method, headers }) => method === 'POST' && Number(headers['content-length']) > 40_000_000)
    .length;

test('three references of 10 MB make a video', async () => {
  const client = new OpenAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1` });
  const reference_images = (await largeFiles()).map((file_id) => ({ file_id }));
  const given = { model: MODEL, prompt: 'a quiet harbour', reference_images };
  const { body } = await waitFor(service, (await client.videos.create(given)).id);
  assert.equal(body.status, 'completed', JSON.stringify(body.error));
  assert.equal(largeRequests(), 1);
});

// The functions read the files of an image as they read those of a video.
test('an image is made from three of 10 MB', {
  skip: !longOr(false, true) && 'runs with LONG_TESTS=1',
}, async () => {
  const text = 'a quiet harbour';
  const ids = await largeFiles();
  const made = largeRequests();
  const body = { prompt: text, images: ids.map((file_id) => ({ file_id })) };
  assert.equal((await post(service, EDITS, bearer(service.apiKey), body)).status, 200);
  assert.equal(largeRequests(), made + 1);
});

test('what is more than 100 MB in Base64 is refused with its sum', async () => {
  const [id = ''] = await largeFiles();
  const images = Array.from({ length: 8 }, () => ({ file_id: id }));
  const refusal = await call(service, 'POST', EDITS, {
    json: { model: IMAGE_MODEL, prompt: 'a quiet harbour', images },
  });
  assert.equal(refusal.status, 400);
  assert.match(
    readError(refusal).message,
    /they are 80(?:\.\d)? MB together, but a request may have at most 7\d(?:\.\d)? MB of images\.$/,
  );
  assert.equal(readError(refusal).param, 'images[0].file_id');
});
