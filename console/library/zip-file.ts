/** A zip file without compression: videos and images are compressed already. */

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Continues the CRC-32 of the bytes before; it begins with 0. */
export const crc32 = (bytes: Uint8Array, before = 0): number => {
  let value = ~before;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
};

/** Sizes and offsets have 32 bits. */
export const MAX_ZIP_BYTES = 2 ** 32 - 1;

export type ZipEntry = {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
  /** Where its header begins. */
  readonly offset: number;
  readonly modified: Date;
};

/** Little-endian numbers of 2 or 4 bytes, then text. */
const pack = (
  fields: readonly (readonly [bytes: 2 | 4, value: number])[],
  text = '',
): Uint8Array<ArrayBuffer> => {
  const encoded = new TextEncoder().encode(text);
  const length = fields.reduce((sum, [bytes]) => sum + bytes, 0);
  const packed = new Uint8Array(length + encoded.length);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  packed.set(encoded, length);
  return packed;
};

const UTF8_NAMES = 0x0800;

const common = ({ name, crc, size, modified }: ZipEntry): readonly (readonly [2 | 4, number])[] => [
  [2, 20],
  [2, UTF8_NAMES],
  [2, 0],
  [2, (modified.getHours() << 11) | (modified.getMinutes() << 5) | (modified.getSeconds() >> 1)],
  [2, ((modified.getFullYear() - 1980) << 9) | ((modified.getMonth() + 1) << 5) | modified.getDate()],
  [4, crc],
  [4, size],
  [4, size],
  [2, new TextEncoder().encode(name).length],
  [2, 0],
];

/** Has the same length whatever the size and CRC, so it can be written again once they are known. */
export const localHeader = (entry: ZipEntry) => pack([[4, 0x04034b50], ...common(entry)], entry.name);

const centralHeader = (entry: ZipEntry) =>
  pack(
    [[4, 0x02014b50], [2, 20], ...common(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]],
    entry.name,
  );

export const centralDirectory = (entries: readonly ZipEntry[], offset: number): Uint8Array<ArrayBuffer>[] => {
  const headers = entries.map(centralHeader);
  const size = headers.reduce((sum, { length }) => sum + length, 0);
  const end = pack([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, size],
    [4, offset],
    [2, 0],
  ]);
  return [...headers, end];
};

/** `a.mp4`, then `a-2.mp4`: no two entries have the same name. */
export const uniqueName = (name: string, taken: Set<string>): string => {
  const dot = name.lastIndexOf('.');
  const [start, end] = dot < 1 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${start}-${count}${end}`;
  taken.add(free);
  return free;
};
