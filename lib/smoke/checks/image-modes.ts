import type { Check, CheckContext, Series } from '../check.ts';
import { expectStatus, expectTrue } from '../check-failure.ts';
import { gradientPng, gradientPngOf } from '../picture.ts';
import { VIDEO_MODEL } from '../tasks.ts';
import { download } from './text-video.ts';

const MEGABYTE = 1024 * 1024;

const file = (png: Buffer<ArrayBuffer>): File => new File([png], 'picture.png', { type: 'image/png' });

export const videoForm = (
  fields: Readonly<Record<string, string>>,
  files: readonly (readonly [name: string, png: Buffer<ArrayBuffer>])[],
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: VIDEO_MODEL, ...fields })) form.append(name, value);
  for (const [name, png] of files) form.append(name, file(png));
  return form;
};

/** Waits for the video and looks at its first bytes. */
const expectVideo = async ({ api, tasks }: CheckContext, id: string): Promise<void> => {
  await tasks.completed(id);
  const head = await download(api, id, { range: 'bytes=0-11' });
  expectStatus(head, 206);
  const box = head.bytes.toString('latin1', 4, 8);
  expectTrue(box === 'ftyp', 'an MP4', JSON.stringify(box), head);
};

/** The large form is the first frame's, so that it costs nothing of its own. */
export const firstFrameSeries = (): Series => {
  let id = '';
  return [
    {
      name: 'accepts a form of 4 MB',
      videoSeconds: 4,
      run: async ({ tasks }) => {
        const fields = { prompt: 'The colours begin to flow', seconds: '4' };
        const form = videoForm(fields, [['input_reference', gradientPngOf(4 * MEGABYTE)]]);
        id = await tasks.create({ form });
      },
    },
    { name: 'makes a video from a first frame', run: (context) => expectVideo(context, id) },
  ];
};

const small = (blue: number): Buffer<ArrayBuffer> => gradientPng(320, 180, blue);

export const framesCheck: Check = {
  name: 'makes a video from a first and a last frame',
  videoSeconds: 8,
  run: async (context) => {
    const form = videoForm({ prompt: 'Day turns into night', seconds: '8' }, [
      ['input_reference', small(255)],
      ['last_frame', small(0)],
    ]);
    await expectVideo(context, await context.tasks.create({ form }));
  },
};

export const referencesCheck: Check = {
  name: 'makes a video from reference images',
  videoSeconds: 8,
  run: async (context) => {
    const referenceImages = [0, 255].map((blue) => ({
      image: { bytesBase64Encoded: small(blue).toString('base64'), mimeType: 'image/png' },
      referenceType: 'asset',
    }));
    const json = {
      model: VIDEO_MODEL,
      prompt: 'A walk along the beach in these colours',
      metadata: { durationSeconds: 8, referenceImages },
    };
    await expectVideo(context, await context.tasks.create({ json }));
  },
};
