/** Entry point of a renderer: renders the job of each message of its parent. */
import { writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { Encoder, FilterAPI, Muxer } from 'node-av/api';
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  FF_ENCODER_MJPEG,
} from 'node-av/constants';
import { Frame, Log, Rational } from 'node-av/lib';
import { captionFilter, type Showing } from './caption.ts';
import { UnreadablePicture } from './pictures.ts';
import {
  type ImageJob,
  type RenderJob,
  type RenderOutcome,
  randomStream,
  type VideoJob,
} from './render-job.ts';
import { movingScene, type Scene, stillScene } from './scene.ts';

const SCALE = [0, 2, 4, 7, 9] as const;
const QUIET = 0.045;

type Voice = { frequency: number; swell: number; phase: number; side: number };

const voicesFor = (random: () => number): Voice[] => {
  const root = 110 * 2 ** (Math.floor(random() * 8) / 12);
  return Array.from({ length: 5 }, (_, index) => ({
    frequency: root * 2 ** ((SCALE[Math.floor(random() * SCALE.length)] ?? 0) / 12 + (index % 3)),
    swell: 0.1 + 0.25 * random(),
    phase: 2 * Math.PI * random(),
    side: 0.25 + 0.5 * random(),
  }));
};

type Sound = NonNullable<VideoJob['sound']>;

/** A quiet chord of swelling voices, as 32-bit floats: the left channel, then the right. */
const soundBed = ({ seconds, seed }: VideoJob, { sampleRate, silent }: Sound): Float32Array => {
  const length = Math.round(seconds * sampleRate);
  const samples = new Float32Array(length * 2);
  if (silent) return samples;
  for (const voice of voicesFor(randomStream(seed ^ 0x5eed))) {
    for (let index = 0; index < length; index += 1) {
      const time = index / sampleRate;
      const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * voice.swell * time + voice.phase);
      const edge = Math.min(1, time / 0.8, (seconds - time) / 0.8);
      const value = QUIET * swell * edge * Math.sin(2 * Math.PI * voice.frequency * time);
      samples[index] = (samples[index] ?? 0) + value * (1 - voice.side);
      samples[length + index] = (samples[length + index] ?? 0) + value * voice.side;
    }
  }
  return samples;
};

const AUDIO_FRAME = 1024;

/** The text must not cover the first and last frames of the request. */
const showing = (job: VideoJob): Showing => ({
  from: job.first === undefined ? 0 : 0.25,
  to: job.last === undefined ? job.seconds + 1 : job.seconds - Math.max(0.25, 1 / job.framesPerSecond),
  fadeIn: job.first !== undefined,
  fadeOut: job.last !== undefined,
});

const toFrame = ({ width, height, framesPerSecond }: VideoJob, index: number, bytes: Buffer) => {
  const properties = {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    timeBase: { num: 1, den: framesPerSecond },
    pts: BigInt(index),
  };
  const frame = Frame.fromVideoBuffer(bytes, properties);
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  return frame;
};

/** The next frame is painted while this one is encoded. */
async function* paintedFrames(job: VideoJob, scene: Scene) {
  const count = job.seconds * job.framesPerSecond;
  let next = scene.paint(0);
  for (let index = 0; index < count; index += 1) {
    const bytes = await next;
    if (index + 1 < count) next = scene.paint(index + 1);
    yield toFrame(job, index, bytes);
  }
  yield null;
}

async function* soundFrames(job: VideoJob, sound: Sound) {
  const samples = soundBed(job, sound);
  const { sampleRate } = sound;
  const length = samples.length / 2;
  // Only whole encoder frames, minus one for its delay, so that the sound never outlasts the picture.
  for (let at = 0; at + 2 * AUDIO_FRAME <= length; at += AUDIO_FRAME) {
    const bytes = Buffer.concat(
      [at, length + at].map((from) => Buffer.from(samples.buffer, from * 4, AUDIO_FRAME * 4)),
    );
    yield Frame.fromAudioBuffer(bytes, {
      nbSamples: AUDIO_FRAME,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      timeBase: { num: 1, den: sampleRate },
      pts: BigInt(at),
    });
  }
  yield null;
}

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

const addSound = async (muxer: Muxer, job: VideoJob, sound: Sound): Promise<void> => {
  using encoder = await Encoder.create(FF_ENCODER_AAC, { context: { bitRate: '128k' } });
  const index = muxer.addStream(encoder);
  for await (using packet of encoder.packets(soundFrames(job, sound))) await muxer.writePacket(packet, index);
};

const renderVideo = async (job: VideoJob): Promise<void> => {
  const scene = await movingScene(job);
  using text = FilterAPI.create(`${await captionFilter(job, showing(job))},format=yuv420p`, {
    graph: { nbThreads: job.threads },
  });
  using picture = await pictureEncoder(job);
  await using muxer = await Muxer.open(job.output, { format: 'mp4', options: { movflags: '+faststart' } });
  const pictureIndex = muxer.addStream(picture);
  if (job.sound !== undefined) await addSound(muxer, job, job.sound);
  for await (using packet of picture.packets(text.frames(paintedFrames(job, scene)))) {
    await muxer.writePacket(packet, pictureIndex);
  }
};

const ALWAYS = { from: 0, to: 1, fadeIn: false, fadeOut: false };
// JPEG uses full range and BT.601.
const AS_JPEG = 'scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p';

const renderImage = async (job: ImageJob): Promise<void> => {
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
  // Encoders write scratch files to the working directory.
  process.chdir(job.folder);
  const outcome = await render(job);
  // Saved now, because the parent kills this process.
  flushCompileCache();
  process.send?.(outcome);
});
