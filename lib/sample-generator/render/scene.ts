import { FilterAPI } from 'node-av/api';
import { AV_PIX_FMT_YUV444P10LE } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { backdrop } from './backdrop.ts';
import { type Card, cardsFor, placeCard, readPicture } from './pictures.ts';
import { textSeed } from './random.ts';
import type { RenderJob, VideoJob } from './render-job.ts';
import { crossfade, type Planes, zoomInto } from './zoom.ts';

/** Paints full-size 4:2:0 frames without text. */
export type Scene = { paint(index: number): Promise<Buffer> };

const ZOOM = 0.08;
const LARGE = 3_000_000;
const smooth = (share: number) => share * share * (3 - 2 * share);

const drifting = (job: RenderJob, cards: readonly Card[]): Scene => {
  const framesPerSecond = job.kind === 'video' ? job.framesPerSecond : 1;
  // The picture depends on both the seed and the prompt.
  const small = backdrop({ ...job, seed: textSeed(`${job.seed} ${job.prompt}`) });
  const enlarge = FilterAPI.create(
    `scale=${job.width}:${job.height}:flags=bicubic:in_color_matrix=bt709:out_color_matrix=bt709,format=yuv420p`,
    { graph: { nbThreads: job.threads } },
  );
  const paint = async (index: number) => {
    using frame = Frame.fromVideoBuffer(small.paint(index / framesPerSecond), {
      width: small.width,
      height: small.height,
      format: AV_PIX_FMT_YUV444P10LE,
      timeBase: { num: 1, den: framesPerSecond },
      pts: BigInt(index),
    });
    const [enlarged] = await enlarge.processAll(frame);
    if (enlarged === undefined) throw new Error('the scaler gave no frame');
    using held = enlarged;
    const planes = { width: job.width, height: job.height, bytes: held.toBuffer() };
    for (const card of cards) placeCard(planes, card);
    return planes.bytes;
  };
  return { paint };
};

/** On a large canvas only every second frame is painted: half the cost, and steps stay under two pixels. */
const zooming = (first: Planes, lastIndex: number): Scene => {
  const step = first.width * first.height > LARGE ? 2 : 1;
  let held: Promise<Buffer> | undefined;
  const paint = (index: number) => {
    if (held === undefined || index % step === 0) held = zoomInto(first, 1 + ZOOM * (index / lastIndex));
    return held;
  };
  return { paint };
};

const fading = (first: Planes, last: Planes, lastIndex: number): Scene => ({
  paint: async (index) => crossfade(first, last, smooth(index / lastIndex)),
});

export const stillScene = async (job: RenderJob): Promise<Scene> => drifting(job, await cardsFor(job));

export const movingScene = async (job: VideoJob): Promise<Scene> => {
  const lastIndex = job.seconds * job.framesPerSecond - 1;
  if (job.first === undefined) return stillScene(job);
  const first = await readPicture(job.first, job.width, job.height);
  if (job.last === undefined) return zooming(first, lastIndex);
  return fading(first, await readPicture(job.last, job.width, job.height), lastIndex);
};
