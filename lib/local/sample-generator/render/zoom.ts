/** Eight-bit 4:2:0 planes, one after the other. */
export type Planes = { readonly width: number; readonly height: number; readonly bytes: Uint8Array };

type Plane = { readonly width: number; readonly height: number; readonly offset: number };

const planesOf = ({ width, height }: { width: number; height: number }): Plane[] => {
  const area = width * height;
  return [
    { width, height, offset: 0 },
    { width: width / 2, height: height / 2, offset: area },
    { width: width / 2, height: height / 2, offset: area * 1.25 },
  ];
};

/** Where each of `length` samples comes from when the middle is enlarged, in 1/256 of a sample. */
const positions = (length: number, zoom: number): Int32Array =>
  Int32Array.from({ length }, (_, index) => {
    const centre = (length - 1) / 2;
    return Math.min((length - 1) * 256, Math.max(0, Math.round((centre + (index - centre) / zoom) * 256)));
  });

const stretchRow = (source: Uint8Array, start: number, columns: Int32Array, row: Int32Array) => {
  for (let x = 0; x < columns.length; x += 1) {
    const position = columns[x] ?? 0;
    const from = start + (position >> 8);
    const left = source[from] ?? 0;
    row[x] = (left << 8) + ((source[from + 1] ?? left) - left) * (position & 255);
  }
};

const zoomPlane = (source: Uint8Array, target: Uint8Array, plane: Plane, zoom: number) => {
  const columns = positions(plane.width, zoom);
  const rows = positions(plane.height, zoom);
  let upper = new Int32Array(plane.width);
  let lower = new Int32Array(plane.width);
  let held = -2;
  for (let y = 0; y < plane.height; y += 1) {
    const position = rows[y] ?? 0;
    const wanted = position >> 8;
    const next = Math.min(wanted + 1, plane.height - 1);
    // Rows come in order, so the lower one of before is often the upper one of now.
    if (wanted === held + 1) [upper, lower] = [lower, upper];
    else if (wanted !== held) stretchRow(source, plane.offset + wanted * plane.width, columns, upper);
    if (wanted !== held) stretchRow(source, plane.offset + next * plane.width, columns, lower);
    held = wanted;
    const part = position & 255;
    const start = plane.offset + y * plane.width;
    for (let x = 0; x < plane.width; x += 1) {
      const top = upper[x] ?? 0;
      target[start + x] = (top * 256 + ((lower[x] ?? 0) - top) * part + 32_768) >> 16;
    }
  }
};

/** Enlarges the middle in steps finer than a pixel: whole-pixel steps would make a slow zoom tremble. */
export const zoomInto = (source: Planes, target: Uint8Array, zoom: number) => {
  if (zoom === 1) target.set(source.bytes);
  else for (const plane of planesOf(source)) zoomPlane(source.bytes, target, plane, zoom);
};

/** `share` runs from 0 (all of `from`) to 1 (all of `to`); the result replaces `from`. */
export const crossfade = (from: Uint8Array, to: Uint8Array, share: number) => {
  const part = Math.round(share * 256);
  for (let index = 0; index < from.length; index += 1) {
    const value = from[index] ?? 0;
    from[index] = value + ((((to[index] ?? 0) - value) * part + 128) >> 8);
  }
};
