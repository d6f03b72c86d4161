import {
  type Answer,
  at,
  expectAnswer,
  expectHeader,
  expectOpenAiError,
  expectTrue,
  textAt,
} from '../answers.ts';
import type { Api } from '../api.ts';
import { expectMp4, gradientPng, gradientPngOfSize } from '../media.ts';
import type { VideoSettings } from '../offer.ts';
import type { Check, CheckContext, Series } from '../run-checks.ts';

/** Follows the redirect without the API key, which the signed URL must not receive. */
export const download = async (
  api: Api,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const redirect = await expectAnswer(302, api.call('GET', `/v1/videos/${id}/content`));
  const address = redirect.headers.get('location');
  expectTrue(address !== null, 'a Location', 'none', redirect);
  return api.open(address ?? '', headers);
};

const [FIRST, LAST] = [1000, 1999] as const;

/** The life of a video, from creation to deletion. */
export const textVideoSeries = (settings: VideoSettings): Series => {
  let id = '';
  let file: Buffer = Buffer.alloc(0);
  return [
    {
      name: 'creates a video from text',
      videoSeconds: settings.seconds,
      run: async ({ tasks }) => {
        id = await tasks.create({ json: { ...settings, prompt: 'A paper boat drifts across a quiet lake' } });
      },
    },
    {
      name: 'completes the video',
      run: async ({ tasks }) => {
        const answer = await tasks.completed(id);
        const [progress, completedAt] = [at(answer.json, 'progress'), at(answer.json, 'completed_at')];
        expectTrue(progress === 100, 'progress 100', String(progress), answer);
        expectTrue(typeof completedAt === 'number', 'a time in completed_at', String(completedAt), answer);
      },
    },
    {
      name: 'returns the video as a generation',
      run: async ({ api }) => {
        const answer = await expectAnswer(200, api.call('GET', `/v1/video/generations/${id}`));
        const [status, url] = [textAt(answer.json, 'data', 'status'), textAt(answer.json, 'data', 'url')];
        expectTrue(status === 'succeeded', 'data.status succeeded', status, answer);
        expectTrue(url.endsWith(`/v1/videos/${id}/content`), 'the content address', url, answer);
      },
    },
    {
      name: 'downloads the whole video',
      run: async ({ api }) => {
        const answer = await expectAnswer(200, download(api, id));
        expectHeader(answer, 'content-type', 'video/mp4');
        expectMp4(answer.bytes);
        file = answer.bytes;
      },
    },
    {
      name: 'downloads a part of the video with Range',
      run: async ({ api }) => {
        const answer = await expectAnswer(206, download(api, id, { range: `bytes=${FIRST}-${LAST}` }));
        expectHeader(answer, 'content-range', `bytes ${FIRST}-${LAST}/${file.length}`);
        const same = answer.bytes.equals(file.subarray(FIRST, LAST + 1));
        expectTrue(same, 'these bytes of the file', `${answer.bytes.length} other bytes`, answer);
      },
    },
    {
      name: 'deletes the video, then answers 404',
      run: async ({ api, tasks }) => {
        const deleted = await expectAnswer(200, tasks.remove(id));
        expectTrue(at(deleted.json, 'deleted') === true, 'deleted true', 'another value', deleted);
        for (const path of [`/v1/videos/${id}`, `/v1/videos/${id}/content`])
          expectOpenAiError(await api.call('GET', path), { status: 404, code: 'video_not_found' });
      },
    },
  ];
};

const MEGABYTE = 1024 * 1024;

const file = (png: Buffer<ArrayBuffer>): File => new File([png], 'picture.png', { type: 'image/png' });

export const videoForm = (
  fields: Readonly<Record<string, string | number>>,
  files: readonly (readonly [name: string, png: Buffer<ArrayBuffer>])[],
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const [name, png] of files) form.append(name, file(png));
  return form;
};

/** Waits for the video and checks its first bytes. */
const expectVideo = async ({ api, tasks }: CheckContext, id: string): Promise<void> => {
  await tasks.completed(id);
  const head = await expectAnswer(206, download(api, id, { range: 'bytes=0-11' }));
  const box = head.bytes.toString('latin1', 4, 8);
  expectTrue(box === 'ftyp', 'an MP4', JSON.stringify(box), head);
};

/** The first frame is the large form, which saves a generation. */
export const firstFrameSeries = (settings: VideoSettings): Series => {
  let id = '';
  return [
    {
      name: 'accepts a form of 4 MB',
      videoSeconds: settings.seconds,
      run: async ({ tasks }) => {
        const fields = { ...settings, prompt: 'The colours begin to flow' };
        const form = videoForm(fields, [['input_reference', gradientPngOfSize(4 * MEGABYTE)]]);
        id = await tasks.create({ form });
      },
    },
    { name: 'generates a video from a first frame', run: (context) => expectVideo(context, id) },
  ];
};

const small = (blue: number): Buffer<ArrayBuffer> => gradientPng(320, 180, blue);

export const framesCheck = (settings: VideoSettings): Check => ({
  name: 'generates a video from a first and a last frame',
  videoSeconds: settings.seconds,
  run: async (context) => {
    const form = videoForm({ ...settings, prompt: 'Day turns into night' }, [
      ['input_reference', small(255)],
      ['last_frame', small(0)],
    ]);
    await expectVideo(context, await context.tasks.create({ form }));
  },
});

export const referencesCheck = ({ model, size, seconds }: VideoSettings): Check => ({
  name: 'generates a video from reference images',
  videoSeconds: seconds,
  run: async (context) => {
    const referenceImages = [0, 255].map((blue) => ({
      image: { bytesBase64Encoded: small(blue).toString('base64'), mimeType: 'image/png' },
      referenceType: 'asset',
    }));
    const json = {
      model,
      size,
      prompt: 'A walk along the beach in these colours',
      metadata: { durationSeconds: seconds, referenceImages },
    };
    await expectVideo(context, await context.tasks.create({ json }));
  },
});

/** Checks that need test prompts of the sample generator. */
export const longChecks = (settings: VideoSettings): readonly Check[] => [
  {
    name: 'completes a generation of over two minutes',
    videoSeconds: settings.seconds,
    run: async ({ tasks }) => {
      const json = { ...settings, prompt: 'A slow river [sample: delay 130s]' };
      const answer = await tasks.completed(await tasks.create({ json }));
      const seconds = Number(at(answer.json, 'completed_at')) - Number(at(answer.json, 'created_at'));
      expectTrue(seconds > 120, 'more than 120 seconds', `${seconds} seconds`, answer);
    },
  },
  {
    name: 'stores and serves a file of over 20 MB',
    videoSeconds: settings.seconds,
    run: async ({ api, tasks }) => {
      const id = await tasks.create({ json: { ...settings, prompt: 'A wide river [sample: size 25MB]' } });
      await tasks.completed(id);
      const answer = await expectAnswer(200, download(api, id));
      const megabytes = Math.floor(answer.bytes.length / MEGABYTE);
      expectTrue(megabytes >= 20, 'a file of over 20 MB', `${megabytes} MB`, answer);
      expectMp4(answer.bytes);
    },
  },
];
