import { setImmediate as pause } from 'node:timers/promises';

const ROWS_BETWEEN_PAUSES = 128;

/** Consecutive eight-bit 4:2:0 planes. */
export type Planes = { readonly width: number; readonly height: number; readonly bytes: Uint8Array };

type Plane = { readonly width: number; readonly height: number; readonly offset: number };

const planeLayout = ({ width, height }: { width: number; height: number }): Plane[] => {
  const area = width * height;
  return [
    { width, height, offset: 0 },
    { width: width / 2, height: height / 2, offset: area },
    { width: width / 2, height: height / 2, offset: area * 1.25 },
  ];
};

/** The source position of each sample when the centre is enlarged, in 1/256 of a sample. */
const positions = (length: number, zoom: number): Int32Array =>
  Int32Array.from({ length }, (_, index) => {
    const centre = (length - 1) / 2;
    return Math.min((length - 1) * 256, Math.max(0, Math.round((centre + (index - centre) / zoom) * 256)));
  });

const stretchRow = (
  source: Uint8Array,
  start: number,
  columns: Int32Array,
  target: Uint8Array,
  to: number,
) => {
  for (let x = 0; x < columns.length; x += 1) {
    const position = columns[x] ?? 0;
    const from = start + (position >> 8);
    const left = source[from] ?? 0;
    target[to + x] = left + ((((source[from + 1] ?? 0) - left) * (position & 255) + 128) >> 8);
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
    stretchRow(source, offset + y * width, columns, between, y * width);
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
