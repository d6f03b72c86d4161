import { Encoder, FilterAPI, Muxer } from 'node-av/api';
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Frame, Rational } from 'node-av/lib';
import { captionFilter, type Showing } from './caption.ts';
import { FRAMES_PER_SECOND, type VideoJob } from './render-job.ts';
import { movingScene, type Scene } from './scene.ts';
import { SAMPLE_RATE, soundBed } from './sound-bed.ts';

const AUDIO_FRAME = 1024;
const PICTURE_TIME = { num: 1, den: FRAMES_PER_SECOND };
const SOUND_TIME = { num: 1, den: SAMPLE_RATE };

/** Frames handed in must come out as they are, so the text keeps clear of them. */
const showing = (job: VideoJob): Showing => ({
  from: job.first === undefined ? 0 : 0.25,
  to: job.last === undefined ? job.seconds + 1 : job.seconds - 0.25,
  fadeIn: job.first !== undefined,
  fadeOut: job.last !== undefined,
});

const frameOf = ({ width, height }: VideoJob, index: number, bytes: Buffer) => {
  const properties = {
    width,
    height,
    format: AV_PIX_FMT_YUV420P,
    timeBase: PICTURE_TIME,
    pts: BigInt(index),
  };
  const frame = Frame.fromVideoBuffer(bytes, properties);
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  return frame;
};

/** The next frame is painted while this one is encoded. */
async function* paintedFrames(job: VideoJob, scene: Scene) {
  const count = job.seconds * FRAMES_PER_SECOND;
  let next = scene.paint(0);
  for (let index = 0; index < count; index += 1) {
    const bytes = await next;
    if (index + 1 < count) next = scene.paint(index + 1);
    yield frameOf(job, index, bytes);
  }
  yield null;
}

async function* soundFrames(job: VideoJob) {
  const samples = soundBed(job.seconds, job.seed);
  const length = samples.length / 2;
  // Whole encoder frames only, less its one frame of delay: the sound never outlasts the picture.
  for (let at = 0; at + 2 * AUDIO_FRAME <= length; at += AUDIO_FRAME) {
    const bytes = Buffer.concat(
      [at, length + at].map((from) => Buffer.from(samples.buffer, from * 4, AUDIO_FRAME * 4)),
    );
    yield Frame.fromAudioBuffer(bytes, {
      nbSamples: AUDIO_FRAME,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: SAMPLE_RATE,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      timeBase: SOUND_TIME,
      pts: BigInt(at),
    });
  }
  yield null;
}

const pictureEncoder = (job: VideoJob) =>
  Encoder.create(FF_ENCODER_LIBX264, {
    context: {
      gopSize: FRAMES_PER_SECOND * 2,
      framerate: new Rational(FRAMES_PER_SECOND, 1),
      threadCount: job.threads,
      colorSpace: AVCOL_SPC_BT709,
      colorPrimaries: AVCOL_PRI_BT709,
      colorTrc: AVCOL_TRC_BT709,
      colorRange: AVCOL_RANGE_MPEG,
    },
    // The slower ones make soft backdrops neither smaller nor better.
    options: { preset: 'ultrafast', crf: 19 },
  });

export const renderVideo = async (job: VideoJob): Promise<void> => {
  const scene = await movingScene(job);
  using text = FilterAPI.create(`${await captionFilter(job, showing(job))},format=yuv420p`, {
    graph: { nbThreads: job.threads },
  });
  using picture = await pictureEncoder(job);
  using sound = await Encoder.create(FF_ENCODER_AAC, { context: { bitRate: '128k' } });
  await using muxer = await Muxer.open(job.output, { format: 'mp4', options: { movflags: '+faststart' } });
  const pictureIndex = muxer.addStream(picture);
  const soundIndex = muxer.addStream(sound);
  for await (using packet of sound.packets(soundFrames(job))) await muxer.writePacket(packet, soundIndex);
  for await (using packet of picture.packets(text.frames(paintedFrames(job, scene)))) {
    await muxer.writePacket(packet, pictureIndex);
  }
};
