import { setImmediate as pause } from 'node:timers/promises';
import { Decoder, Demuxer, FilterAPI } from 'node-av/api';
import type { Picture, RenderJob } from './render-job.ts';

/** Consecutive eight-bit 4:2:0 planes. */
export type Planes = { readonly width: number; readonly height: number; readonly bytes: Uint8Array };

/** The header is that of a picture, but the bytes cannot be decoded. */
export class UnreadablePicture extends Error {}

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

/** Scales and crops the picture to fill the canvas. */
const fillingFilters = (width: number, height: number) =>
  `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd+full_chroma_int` +
  `:out_color_matrix=bt709:out_range=tv,crop=${width}:${height},setsar=1,format=yuv420p`;

export const readPicture = async (picture: Picture, width: number, height: number): Promise<Planes> => ({
  width,
  height,
  // Copied, because the decoder's memory is not always aligned.
  bytes: Uint8Array.from(await decode(picture, fillingFilters(width, height))),
});

export type Card = {
  readonly planes: Planes;
  readonly left: number;
  readonly top: number;
  readonly border: number;
};

const MARGIN = 0.07;
const GAP = 0.04;
// Between the badge and the caption.
const TOP = 0.15;
const BOTTOM = 0.68;
const even = (value: number) => Math.max(2, Math.floor(value / 2) * 2);

/** Rows of the largest squares that fit. */
const layout = ({ width, height }: { width: number; height: number }, count: number) => {
  const short = Math.min(width, height);
  const gap = short * GAP;
  const room = { width: width - 2 * MARGIN * short, height: height * BOTTOM - TOP * short };
  const sideWith = (columns: number) =>
    Math.min((room.width + gap) / columns - gap, (room.height + gap) / Math.ceil(count / columns) - gap);
  const choices = Array.from({ length: count }, (_, index) => index + 1);
  const columns = choices.reduce((best, next) => (sideWith(next) > sideWith(best) ? next : best), 1);
  const side = even(sideWith(columns));
  const step = side + gap;
  const left = (width - columns * step + gap) / 2;
  const top = TOP * short + (room.height - Math.ceil(count / columns) * step + gap) / 2;
  return Array.from({ length: count }, (_, index) => ({
    side,
    left: even(left + (index % columns) * step),
    top: even(top + Math.floor(index / columns) * step),
  }));
};

export const cardsFor = async (job: RenderJob): Promise<Card[]> => {
  const places = layout(job, job.references.length);
  const border = even(Math.min(job.width, job.height) * 0.006);
  const cards: Card[] = [];
  for (const [index, { side, left, top }] of places.entries()) {
    const picture = job.references[index];
    if (picture !== undefined)
      cards.push({ planes: await readPicture(picture, side, side), left, top, border });
  }
  return cards;
};

type Plane = { readonly width: number; readonly height: number; readonly offset: number };

const planeLayout = ({ width, height }: { width: number; height: number }): Plane[] => {
  const area = width * height;
  return [
    { width, height, offset: 0 },
    { width: width / 2, height: height / 2, offset: area },
    { width: width / 2, height: height / 2, offset: area * 1.25 },
  ];
};

/** White in the first plane, no colour in the others. */
const WHITE = [235, 128, 128];

/** Draws the card with a white border. */
export const placeCard = (canvas: Planes, { planes, left, top, border }: Card) => {
  const cardLayout = planeLayout(planes);
  for (const [index, { width, offset }] of planeLayout(canvas).entries()) {
    const card = cardLayout[index] ?? { width: 0, height: 0, offset: 0 };
    const divisor = canvas.width / width;
    const edge = border / divisor;
    for (let row = -edge; row < card.height + edge; row += 1) {
      const target = offset + (top / divisor + row) * width + left / divisor;
      canvas.bytes.fill(WHITE[index] ?? 0, target - edge, target + card.width + edge);
      if (row < 0 || row >= card.height) continue;
      const start = card.offset + row * card.width;
      canvas.bytes.set(planes.bytes.subarray(start, start + card.width), target);
    }
  }
};

const ROWS_BETWEEN_PAUSES = 128;

/** The source position of each sample when the centre is enlarged, in 1/256 of a sample. */
const positions = (length: number, zoom: number): Int32Array =>
  Int32Array.from({ length }, (_, index) => {
    const centre = (length - 1) / 2;
    return Math.min((length - 1) * 256, Math.max(0, Math.round((centre + (index - centre) / zoom) * 256)));
  });

const stretchRow = (source: Uint8Array, columns: Int32Array, target: Uint8Array) => {
  for (let x = 0; x < columns.length; x += 1) {
    const position = columns[x] ?? 0;
    const from = position >> 8;
    const left = source[from] ?? 0;
    target[x] = left + ((((source[from + 1] ?? 0) - left) * (position & 255) + 128) >> 8);
  }
};

/** Mixes four samples at a time, two per multiplication; `share` is out of 256. */
const mixWords = (from: Int32Array, to: Int32Array, target: Int32Array, share: number) => {
  const rest = 256 - share;
  for (let index = 0; index < target.length; index += 1) {
    const a = from[index] ?? 0;
    const b = to[index] ?? 0;
    const even = Math.imul(a & 0xff00ff, rest) + Math.imul(b & 0xff00ff, share) + 0x800080;
    const odd = Math.imul((a >>> 8) & 0xff00ff, rest) + Math.imul((b >>> 8) & 0xff00ff, share) + 0x800080;
    target[index] = ((even >>> 8) & 0xff00ff) | (odd & 0xff00ff00);
  }
};

const words = (bytes: Uint8Array, start = 0, length = bytes.length) =>
  new Int32Array(bytes.buffer, bytes.byteOffset + start, length / 4);

type Zoomed = { readonly source: Uint8Array; readonly between: Uint8Array; readonly target: Uint8Array };

/** Scales the rows, then the columns; the pauses let the encoder run. */
const zoomPlane = async ({ source, between, target }: Zoomed, plane: Plane, zoom: number) => {
  const { width, height, offset } = plane;
  const columns = positions(width, zoom);
  const rows = positions(height, zoom);
  const last = Math.min(height - 1, ((rows[height - 1] ?? 0) >> 8) + 1);
  for (let y = (rows[0] ?? 0) >> 8; y <= last; y += 1) {
    const start = offset + y * width;
    // The sample after the row counts for nothing, because its share is zero.
    stretchRow(source.subarray(start, start + width), columns, between.subarray(y * width, (y + 1) * width));
    if (y % ROWS_BETWEEN_PAUSES === 0) await pause();
  }
  for (let y = 0; y < height; y += 1) {
    const position = rows[y] ?? 0;
    const row = position >> 8;
    const upper = words(between, row * width, width);
    const lower = words(between, Math.min(row + 1, height - 1) * width, width);
    mixWords(upper, lower, words(target, offset + y * width, width), position & 255);
    if (y % ROWS_BETWEEN_PAUSES === 0) await pause();
  }
};

/** Aligned memory, so that four samples can be processed at a time. */
const newFrame = (like: Planes): Buffer => Buffer.from(new ArrayBuffer(like.bytes.length));

/** Enlarges the centre in subpixel steps, because whole-pixel steps make a slow zoom tremble. */
export const zoomInto = async (source: Planes, zoom: number): Promise<Buffer> => {
  const target = newFrame(source);
  const between = new Uint8Array(source.width * source.height);
  for (const plane of planeLayout(source))
    await zoomPlane({ source: source.bytes, between, target }, plane, zoom);
  return target;
};

/** `share` runs from 0 (all of `from`) to 1 (all of `to`). */
export const crossfade = (from: Planes, to: Planes, share: number): Buffer => {
  const target = newFrame(from);
  mixWords(words(from.bytes), words(to.bytes), words(target), Math.round(share * 256));
  return target;
};
