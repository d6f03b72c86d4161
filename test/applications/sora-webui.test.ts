// tegnike/sora-webui 1.0.0 (ba52309), and SoraWebui/SoraWebui (3acd56f).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HELD_BACK } from '../support/http.ts';
import { file, JPEG } from '../support/images.ts';
import { form, openApplication } from './application.ts';
import { fetchVideo, readSeconds, readVideo } from './replies.ts';

const app = await openApplication();
/** VIDEO_API_BASE in app/page.tsx; a browser adds the origin, which `allowedOrigins` must contain. */
const openAi = app.provider('/v1', {
  authorization: `Bearer ${app.apiKey}`,
  origin: 'https://app.example.com',
});

const PROMPT = 'A fox in the snow';

describe('tegnike/sora-webui', () => {
  const fields = (prompt: string, changes: Readonly<Record<string, string>> = {}) => {
    const defaults = { prompt, model: 'sora-2', size: '1280x720', seconds: '4' };
    return form(Object.entries({ ...defaults, ...changes }));
  };

  test('shows a video, and its page may read the responses', async () => {
    const created = await openAi.post('/videos', fields('a quiet harbour'));
    assert.equal(created.headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.equal(readSeconds(await fetchVideo(openAi, created)), 4);
  });

  test('starts a video from a JPEG that is named as a PNG', async () => {
    const body = fields(HELD_BACK, { model: 'sora-2-pro', size: '720x1280', seconds: '8' });
    body.append('input_reference', file(JPEG, 'fox.png', 'image/jpeg'));
    assert.equal(readVideo(await openAi.post('/videos', body)).size, '720x1280');
  });

  test('is told which durations and sizes there are', async () => {
    await app.refuses(() => openAi.post('/videos', fields(PROMPT, { seconds: '12' })), /4, 6, 8 seconds/);
    const size = { model: 'sora-2-pro', size: '1792x1024' };
    await app.refuses(() => openAi.post('/videos', fields(PROMPT, size)), /size.*1920x1080/);
  });

  test('is told that there are no thumbnails', async () => {
    const { id } = readVideo(await openAi.post('/videos', fields(HELD_BACK)));
    for (const variant of ['thumbnail', 'spritesheet'])
      await app.refuses(() => openAi.get(`/videos/${id}/content?variant=${variant}`), /variant/);
  });

  /** lib/sora.ts, which the page does not use. */
  test('is told how JSON describes an image', async () => {
    const body = {
      prompt: PROMPT,
      model: 'sora-2',
      size: '1280x720',
      seconds: 4,
      input_reference: { type: 'image', image: JPEG.toString('base64') },
    };
    await app.refuses(() => openAi.post('/videos', body), /input_reference.*data URI/);
  });
});

/** It expects the finished video in the response, which no asynchronous API has. */
test('SoraWebui/SoraWebui is told the model names', async () => {
  const service = app.openAi('');
  const body = { model: 'sora-1.0-turbo', prompt: PROMPT, size: '1920X1080' };
  await app.refuses(
    () => service.post('/v1/video/generations', body),
    /model.*video-3\.1-generate-preview/,
    404,
  );
});
