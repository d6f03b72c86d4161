import { writeFile } from 'node:fs/promises';
import { Encoder, FilterAPI } from 'node-av/api';
import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709, FF_ENCODER_MJPEG } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { captionFilter } from './caption.ts';
import type { ImageJob } from './render-job.ts';
import { stillScene } from './scene.ts';

const ALWAYS = { from: 0, to: 1, fadeIn: false, fadeOut: false };
// JPEG files are full range in the older matrix.
const AS_JPEG = 'scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p';

export const renderImage = async (job: ImageJob): Promise<void> => {
  const scene = await stillScene(job);
  const { width, height } = job;
  using frame = Frame.fromVideoBuffer(await scene.paint(0), {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    timeBase: { num: 1, den: 1 },
    pts: 0n,
  });
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  using filter = FilterAPI.create(`${await captionFilter(job, ALWAYS)},${AS_JPEG}`);
  const [finished] = await filter.processAll(frame);
  if (finished === undefined) throw new Error('the filter gave no frame');
  using picture = finished;
  const quality = { globalQuality: 2 * 118, qMin: 2, qMax: 2 };
  await writeFile(job.output, await Encoder.encodeOne(FF_ENCODER_MJPEG, picture, { context: quality }));
};
