/** Entry point of a renderer: renders the job of each message of its parent. */
import { writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { Decoder, Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api';
import {
  AV_LOG_QUIET,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FF_ENCODER_MJPEG,
} from 'node-av/constants';
import { Log, Rational } from 'node-av/lib';
import { captionFilter, type Showing } from './caption.ts';
import { movingScene, type PlacedPicture, type Scene, soundGraph, stillScene } from './graph.ts';
import type { ImageJob, Picture, RenderJob, RenderOutcome, VideoJob } from './render-job.ts';

/** The header is that of a picture, but the bytes cannot be decoded. */
class UnreadablePicture extends Error {}

const MAX_PIXELS = 8192 * 8192;

async function* firstFrame(picture: Picture, filters: string) {
  await using demuxer = await Demuxer.open(picture.path, { format: picture.format });
  const stream = demuxer.video();
  if (stream === undefined) throw new UnreadablePicture();
  using decoder = await Decoder.create(stream, {
    exitOnError: true,
    threadCount: 1,
    options: { max_pixels: MAX_PIXELS },
  });
  using filter = FilterAPI.create(filters);
  for await (using frame of filter.frames(decoder.frames(demuxer.packets(stream.index)))) {
    if (frame !== null) yield frame.toBuffer();
  }
}

const decode = async (picture: Picture, filters: string): Promise<Buffer> => {
  try {
    for await (const bytes of firstFrame(picture, filters)) return bytes;
  } catch (cause) {
    throw new UnreadablePicture(undefined, { cause });
  }
  throw new UnreadablePicture();
};

/** Scales and crops the picture to fill its place. */
const writePicture = async ({ picture, file, width, height }: PlacedPicture): Promise<void> => {
  const filters =
    `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd+full_chroma_int` +
    `:out_color_matrix=bt709:out_range=tv,crop=${width}:${height},setsar=1,format=yuv420p`;
  await writeFile(file, await decode(picture, filters));
};

async function* graphFrames(graph: string) {
  await using demuxer = await Demuxer.open(graph, { format: 'lavfi' });
  const [stream] = demuxer.streams;
  if (stream === undefined) throw new Error('the graph has no output');
  using decoder = await Decoder.create(stream);
  yield* decoder.frames(demuxer.packets(stream.index));
}

/** The frames of the scene with its text. */
const sceneFrames = async (job: RenderJob, { pictures, graph }: Scene, showing: Showing, format: string) => {
  for (const picture of pictures) await writePicture(picture);
  const text = await captionFilter(job, showing);
  return graphFrames(`${graph},${text},${format}`);
};

/** The text must not cover the first and last frames of the request. */
const showing = (job: VideoJob): Showing => ({
  from: job.first === undefined ? 0 : 0.25,
  to: job.last === undefined ? job.seconds + 1 : job.seconds - Math.max(0.25, 1 / job.framesPerSecond),
  fadeIn: job.first !== undefined,
  fadeOut: job.last !== undefined,
});

const pictureEncoder = (job: VideoJob) =>
  Encoder.create(FF_ENCODER_LIBX264, {
    context: {
      gopSize: job.framesPerSecond * 2,
      framerate: new Rational(job.framesPerSecond, 1),
      threadCount: job.threads,
      colorSpace: AVCOL_SPC_BT709,
      colorPrimaries: AVCOL_PRI_BT709,
      colorTrc: AVCOL_TRC_BT709,
      colorRange: AVCOL_RANGE_MPEG,
    },
    // Slower presets make soft backdrops neither smaller nor better.
    options: { preset: 'ultrafast', crf: job.rateFactor },
  });

const addSound = async (muxer: Muxer, graph: string): Promise<void> => {
  using encoder = await Encoder.create(FF_ENCODER_AAC, { autoResample: true, context: { bitRate: '128k' } });
  const index = muxer.addStream(encoder);
  for await (using packet of encoder.packets(graphFrames(graph))) await muxer.writePacket(packet, index);
};

const renderVideo = async (job: VideoJob): Promise<void> => {
  const frames = await sceneFrames(job, movingScene(job), showing(job), 'format=yuv420p');
  using picture = await pictureEncoder(job);
  await using muxer = await Muxer.open(job.output, { format: 'mp4', options: { movflags: '+faststart' } });
  const pictureIndex = muxer.addStream(picture);
  if (job.sound !== undefined) await addSound(muxer, soundGraph(job, job.sound));
  for await (using packet of picture.packets(frames)) await muxer.writePacket(packet, pictureIndex);
};

const ALWAYS = { from: 0, to: 1, fadeIn: false, fadeOut: false };
// JPEG uses full range and BT.601.
const AS_JPEG = 'scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p';

const renderImage = async (job: ImageJob): Promise<void> => {
  const quality = { globalQuality: 2 * 118, qMin: 2, qMax: 2 };
  for await (using frame of await sceneFrames(job, stillScene(job), ALWAYS, AS_JPEG))
    if (frame !== null)
      await writeFile(job.output, await Encoder.encodeOne(FF_ENCODER_MJPEG, frame, { context: quality }));
};

Log.setLevel(AV_LOG_QUIET);

// The parent is gone. Native threads would delay a normal exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const render = async (job: RenderJob): Promise<RenderOutcome> => {
  try {
    await (job.kind === 'video' ? renderVideo(job) : renderImage(job));
    return { outcome: 'rendered' };
  } catch (error) {
    if (error instanceof UnreadablePicture) return { outcome: 'unreadable-picture' };
    return { outcome: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
};

process.on('message', async (job: RenderJob) => {
  // Graphs read files of the working directory, and encoders write scratch files to it.
  process.chdir(job.folder);
  const outcome = await render(job);
  // Saved now, because the parent kills this process.
  flushCompileCache();
  process.send?.(outcome);
});
