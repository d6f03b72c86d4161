/** Reads an MP4 by its boxes. */

type Box = { readonly type: string; readonly body: Buffer };

const readBoxes = (bytes: Buffer): Box[] => {
  const boxes: Box[] = [];
  let offset = 0;
  while (offset + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(offset);
    const header = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : short || bytes.length - offset;
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      body: bytes.subarray(offset + header, offset + size),
    });
    offset += size;
  }
  return boxes;
};

const inside = (bytes: Buffer, ...path: string[]): Buffer => {
  const [type, ...rest] = path;
  if (type === undefined) return bytes;
  const box = readBoxes(bytes).find((candidate) => candidate.type === type);
  if (box === undefined) throw new Error(`the MP4 has no box ${type}`);
  return inside(box.body, ...rest);
};

const toSeconds = (mediaHeader: Buffer): number =>
  mediaHeader[0] === 1
    ? Number(mediaHeader.readBigUInt64BE(24)) / mediaHeader.readUInt32BE(20)
    : mediaHeader.readUInt32BE(16) / mediaHeader.readUInt32BE(12);

/** Of the pictures and the sound, in the order of their tracks. */
export const readCodecs = (mp4: Buffer): string[] =>
  readBoxes(inside(mp4, 'moov'))
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => inside(body, 'mdia', 'minf', 'stbl', 'stsd').toString('latin1', 12, 16));

/** `1280x720`, of the track with the pictures. */
export const readSize = (mp4: Buffer): string => {
  const headers = readBoxes(inside(mp4, 'moov'))
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => inside(body, 'tkhd').subarray(-8));
  // Fixed-point numbers, which are 0 for sound.
  const [size] = headers.map((end) => [end.readUInt16BE(0), end.readUInt16BE(4)]).filter(([width]) => width);
  return size?.join('x') ?? 'no picture';
};

export const readDuration = (mp4: Buffer): number => toSeconds(inside(mp4, 'moov', 'mvhd'));

const CREDENTIALS_TYPE = 'd8fec3d61b0e483c92975828877ec481';

/** Whether a box at the top level has the type of content credentials (C2PA). */
export const hasCredentialsBox = (mp4: Buffer): boolean =>
  readBoxes(mp4).some(
    ({ type, body }) => type === 'uuid' && body.toString('hex', 0, 16) === CREDENTIALS_TYPE,
  );
