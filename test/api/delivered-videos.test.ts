import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, MODEL, readId, waitFor } from '../support/http.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

/** Creates a video, waits for it, and returns its file and its charge. */
const deliver = async (prompt: string, options: { readonly seconds: number; readonly size: string }) => {
  const id = readId(
    await call(service, 'POST', '/v1/videos', { json: { model: MODEL, prompt, ...options } }),
  );
  await waitFor(service, id);
  const path = `/v1/videos/${id}?include[]=file&include[]=charge`;
  const { body } = await call(service, 'GET', path);
  const { bytes, ...file } = Object(body.file);
  assert.ok(bytes > 1000, `${bytes} bytes`);
  return { status: body.status, file, charge: body.charge };
};

const charge = (seconds: number, amount: string) => ({
  seconds,
  unit_price: '0.40',
  amount,
  currency: 'USD',
});

describe('include[]=file', { concurrency: 3 }, () => {
  test('has the size and the duration of a video as requested', async () => {
    assert.deepEqual(await deliver('a harbour', { seconds: 4, size: '720x1280' }), {
      status: 'completed',
      file: { width: 720, height: 1280, seconds: 4, differs: [] },
      charge: charge(4, '1.60'),
    });
  });

  test('tells that a video has another size', async () => {
    const prompt = 'a harbour [sample: deliver 720p]';
    assert.deepEqual(await deliver(prompt, { seconds: 8, size: '1920x1080' }), {
      status: 'completed',
      file: { width: 1280, height: 720, seconds: 8, differs: ['size'] },
      charge: charge(8, '3.20'),
    });
  });

  test('tells that a video is shorter, which is charged for its seconds', async () => {
    assert.deepEqual(await deliver('a harbour [sample: deliver 4s]', { seconds: 8, size: '1280x720' }), {
      status: 'completed',
      file: { width: 1280, height: 720, seconds: 4, differs: ['seconds'] },
      charge: charge(4, '1.60'),
    });
  });
});
