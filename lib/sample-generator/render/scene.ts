import { FilterAPI } from 'node-av/api';
import { AV_PIX_FMT_YUV444P10LE } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { type Card, cardsFor, crossfade, type Planes, placeCard, readPicture, zoomInto } from './pictures.ts';
import { type RenderJob, randomStream, textSeed, type VideoJob } from './render-job.ts';

type Colour = readonly [red: number, green: number, blue: number];
type Palette = { readonly ground: Colour; readonly lights: readonly Colour[] };

// Dark grounds, so that white text is readable on each.
const PALETTES = [
  ['#0b1026', '#1f4e79', '#2a9d8f', '#5e4b8b', '#f2a65a'],
  ['#160f29', '#5c2751', '#a23e48', '#f29559', '#3c4f76'],
  ['#07221f', '#14594e', '#3f8f6b', '#c9b458', '#1d5c7a'],
  ['#101935', '#564787', '#9a79b8', '#dbcbd8', '#2b4c9b'],
  ['#1a1423', '#3d314a', '#684756', '#c57b57', '#96705b'],
  ['#04151f', '#183a37', '#2f6f7e', '#efd6ac', '#c44900'],
  ['#13111c', '#2b3a67', '#496a81', '#66999b', '#b3af8f'],
  ['#1b0b1f', '#4a1942', '#893168', '#e07a9b', '#374a8c'],
] as const;

const colour = (hex: string): Colour => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

const paletteFor = (random: () => number): Palette => {
  const [ground, ...lights] = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0];
  return { ground: colour(ground), lights: lights.map(colour) };
};

type Light = {
  colour: Colour;
  x: number;
  y: number;
  sway: number;
  speed: number;
  phase: number;
  reach: number;
};

const LIGHT_COUNT = 7;
const LONG_SIDE = 160;
const STRENGTH = 0.85;
const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);

const lightsFor = (colours: readonly Colour[], random: () => number): Light[] =>
  Array.from({ length: LIGHT_COUNT }, (_, index) => ({
    colour: colours[index % colours.length] ?? [0, 0, 0],
    x: 0.1 + 0.8 * random(),
    y: 0.1 + 0.8 * random(),
    sway: 0.12 + 0.2 * random(),
    speed: 0.3 + 0.4 * random(),
    phase: 2 * Math.PI * random(),
    reach: 0.12 + 0.2 * random(),
  }));

/** Brightness along one side; the product of both sides is a bell shape. */
const falloff = (length: number, centre: number, reach: number) =>
  Float64Array.from({ length }, (_, at) => Math.exp(-(((at - centre * length) / LONG_SIDE / reach) ** 2)));

/** Soft lights drifting over a dark ground, painted small because scaling cannot blur what has no edges. */
const backdrop = (canvas: { width: number; height: number; seed: number }) => {
  const random = randomStream(canvas.seed);
  const { ground, lights: colours } = paletteFor(random);
  const lights = lightsFor(colours, random);
  const shrink = LONG_SIDE / Math.max(canvas.width, canvas.height);
  const width = even(canvas.width * shrink);
  const height = even(canvas.height * shrink);
  const area = width * height;
  const mixed = [new Float32Array(area), new Float32Array(area), new Float32Array(area)] as const;
  const planes = new Uint16Array(area * 3);

  const shine = ({ colour, x, y, sway, speed, phase, reach }: Light, seconds: number) => {
    const angle = phase + speed * seconds;
    const across = falloff(width, x + sway * Math.cos(angle), reach);
    const down = falloff(height, y + sway * 0.6 * Math.sin(angle * 0.8), reach);
    for (const [channel, plane] of mixed.entries()) {
      const target = colour[channel] ?? 0;
      for (let row = 0, at = 0; row < height; row += 1) {
        const strength = STRENGTH * (down[row] ?? 0);
        for (let column = 0; column < width; column += 1, at += 1) {
          const before = plane[at] ?? 0;
          plane[at] = before + (target - before) * strength * (across[column] ?? 0);
        }
      }
    }
  };

  /** BT.709, limited range, ten bits: the scaler dithers to eight bits, which avoids banding. */
  const encode = () => {
    const [reds, greens, blues] = mixed;
    for (let row = 0, at = 0; row < height; row += 1) {
      // Darker at the bottom, behind the caption.
      const shade = 1 - 0.5 * (row / height) ** 2;
      for (let column = 0; column < width; column += 1, at += 1) {
        const red = reds[at] ?? 0;
        const blue = blues[at] ?? 0;
        const luma = 0.2126 * red + 0.7152 * (greens[at] ?? 0) + 0.0722 * blue;
        planes[at] = 64 + 876 * luma * shade;
        planes[area + at] = 512 + (896 * (blue - luma) * shade) / 1.8556;
        planes[2 * area + at] = 512 + (896 * (red - luma) * shade) / 1.5748;
      }
    }
  };

  const paint = (seconds: number): Buffer => {
    for (const [channel, plane] of mixed.entries()) plane.fill(ground[channel] ?? 0);
    for (const light of lights) shine(light, seconds);
    encode();
    return Buffer.from(planes.buffer);
  };
  return { width, height, paint };
};

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
