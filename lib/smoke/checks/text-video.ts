import type { Answer } from '../answer.ts';
import type { Api } from '../api.ts';
import type { Series } from '../check.ts';
import { expectOpenAiError, expectStatus, expectTrue } from '../check-failure.ts';
import { at, textAt } from '../json-path.ts';
import { expectMp4 } from '../mp4-boxes.ts';
import { VIDEO_MODEL } from '../tasks.ts';

/** Follows the redirect by hand: the signed address must not get the key. */
export const download = async (
  api: Api,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const redirect = await api.call('GET', `/v1/videos/${id}/content`);
  expectStatus(redirect, 302);
  const address = redirect.headers.get('location');
  expectTrue(address !== null, 'a Location', 'none', redirect);
  return api.open(address ?? '', headers);
};

const [FIRST, LAST] = [1000, 1999] as const;

/** The life of one video, from its creation to its end. */
export const textVideoSeries = (): Series => {
  let id = '';
  let file: Buffer = Buffer.alloc(0);
  return [
    {
      name: 'creates a video from text',
      videoSeconds: 4,
      run: async ({ tasks }) => {
        id = await tasks.create({
          json: { model: VIDEO_MODEL, prompt: 'A paper boat drifts across a quiet lake', seconds: 4 },
        });
      },
    },
    {
      name: 'completes it',
      run: async ({ tasks }) => {
        const answer = await tasks.completed(id);
        const [progress, completedAt] = [at(answer.json, 'progress'), at(answer.json, 'completed_at')];
        expectTrue(progress === 100, 'progress 100', String(progress), answer);
        expectTrue(typeof completedAt === 'number', 'a time in completed_at', String(completedAt), answer);
      },
    },
    {
      name: 'shows it as a generation',
      run: async ({ api }) => {
        const answer = await api.call('GET', `/v1/video/generations/${id}`);
        expectStatus(answer, 200);
        const [status, url] = [textAt(answer.json, 'data', 'status'), textAt(answer.json, 'data', 'url')];
        expectTrue(status === 'succeeded', 'data.status succeeded', status, answer);
        expectTrue(url.endsWith(`/v1/videos/${id}/content`), 'the content address', url, answer);
      },
    },
    {
      name: 'downloads it whole',
      run: async ({ api }) => {
        const answer = await download(api, id);
        expectStatus(answer, 200);
        const type = answer.headers.get('content-type') ?? 'none';
        expectTrue(type === 'video/mp4', 'content type video/mp4', type, answer);
        expectMp4(answer.bytes);
        file = answer.bytes;
      },
    },
    {
      name: 'downloads a part of it with Range',
      run: async ({ api }) => {
        const answer = await download(api, id, { range: `bytes=${FIRST}-${LAST}` });
        expectStatus(answer, 206);
        const range = answer.headers.get('content-range') ?? 'none';
        const expected = `bytes ${FIRST}-${LAST}/${file.length}`;
        expectTrue(range === expected, `Content-Range ${expected}`, range, answer);
        const same = answer.bytes.equals(file.subarray(FIRST, LAST + 1));
        expectTrue(same, 'these bytes of the file', `${answer.bytes.length} other bytes`, answer);
      },
    },
    {
      name: 'deletes it, and then answers 404',
      run: async ({ api, tasks }) => {
        const deleted = await tasks.remove(id);
        expectStatus(deleted, 200);
        expectTrue(at(deleted.json, 'deleted') === true, 'deleted true', 'another value', deleted);
        for (const path of [`/v1/videos/${id}`, `/v1/videos/${id}/content`])
          expectOpenAiError(await api.call('GET', path), { status: 404, code: 'video_not_found' });
      },
    },
  ];
};
