import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateJob, type JobServer, routerBody, runOpenAi, runOpenRouter } from './support/job-servers.ts';
import { createVideo, runGenerator, textBody } from './support/running-generator.ts';
import { png, SUNRISE } from './support/test-pictures.ts';

const NEVER_DONE = 'A cat [sample: never done]';

const bodies = (server: Pick<JobServer, 'requests'>) =>
  server.requests().flatMap((request) => ('body' in request ? [request.body] : []));

describe('the record of requests', () => {
  test('has method, path and headers, and no body by default', async () => {
    const server = await runOpenAi();
    await generateJob(server, 'A cat [sample: done without video]');
    const [created, polled] = server.requests();
    assert.deepEqual([created?.method, created?.path], ['POST', '/v1/videos']);
    assert.deepEqual([polled?.method, polled?.host], ['GET', 'upstream']);
    assert.match(String(created?.headers['content-type']), /^multipart\/form-data; boundary=/);
    assert.deepEqual(bodies(server), []);
    await server.stop();
  });

  test('has the JSON of create requests with recordBodies, also of those that fail', async () => {
    const server = await runOpenRouter({ recordBodies: true });
    await generateJob(server, 'A cat [sample: done without video]');
    await server.create('A cat', { duration: 5 });
    assert.deepEqual(bodies(server), [
      routerBody('A cat [sample: done without video]'),
      routerBody('A cat', { duration: 5 }),
    ]);
    await server.stop();
    const gemini = await runGenerator({ recordBodies: true });
    await createVideo(gemini.url, textBody(NEVER_DONE));
    assert.deepEqual(bodies(gemini), [textBody(NEVER_DONE)]);
    await gemini.stop();
  });

  test('has the fields of forms, and the name, type and length of their files', async () => {
    const server = await runOpenAi({ recordBodies: true });
    const bytes = new Uint8Array(await png(SUNRISE, 64, 64));
    const picture = new Blob([bytes], { type: 'image/png' });
    await server.create(NEVER_DONE, { input_reference: picture, tag: ['a', 'b'] });
    assert.deepEqual(bodies(server), [
      {
        fields: {
          model: 'video-3.1-generate-preview',
          prompt: NEVER_DONE,
          seconds: '4',
          size: '1280x720',
          tag: ['a', 'b'],
        },
        files: [{ field: 'input_reference', name: 'picture.png', type: 'image/png', length: bytes.length }],
      },
    ]);
    await server.stop();
  });
});
