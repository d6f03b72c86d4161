/**
 * The size and the duration of a video, read from the `moov` box of its MP4. The box comes from outside: whatever it
 * contains, reading it takes linear time and never throws. Anything unreadable is unknown.
 */

export type VideoFacts = {
  /** In pixels, as the video is shown. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly seconds?: number | undefined;
};

const HEADER = 8;
const LONG_HEADER = 16;

/** Types are compared as numbers, because a box can have a million others inside. */
const toCode = (type: string): number =>
  [...type].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0);

/** The length of the box at this position, with its header; undefined if it does not fit. */
const boxLength = (parent: DataView, at: number): number | undefined => {
  const room = parent.byteLength - at;
  const short = parent.getUint32(at);
  // Size 0 means "to the end".
  if (short === 0) return room;
  if (short !== 1) return short >= HEADER && short <= room ? short : undefined;
  if (room < LONG_HEADER) return undefined;
  const long = Number(parent.getBigUint64(at + HEADER));
  return long >= LONG_HEADER && long <= room ? long : undefined;
};

/** The contents of the boxes of a type, up to the first box that is broken. */
function* boxesOfType(parent: DataView, type: string): Generator<DataView> {
  const code = toCode(type);
  let at = 0;
  while (at + HEADER <= parent.byteLength) {
    const length = boxLength(parent, at);
    if (length === undefined) return;
    if (parent.getUint32(at + 4) === code) {
      const header = parent.getUint32(at) === 1 ? LONG_HEADER : HEADER;
      yield new DataView(parent.buffer, parent.byteOffset + at + header, length - header);
    }
    at += length;
  }
}

const findBox = (parent: DataView, ...path: readonly string[]): DataView | undefined => {
  let found: DataView | undefined = parent;
  for (const type of path) {
    if (found === undefined) return undefined;
    [found] = boxesOfType(found, type);
  }
  return found;
};

/** Fields beyond the end of a box are 0, which also means "unknown" in all of them. */
const uint32 = (box: DataView, at: number): number => (at + 4 <= box.byteLength ? box.getUint32(at) : 0);
const uint16 = (box: DataView, at: number): number => (at + 2 <= box.byteLength ? box.getUint16(at) : 0);
const uint64 = (box: DataView, at: number): number =>
  at + 8 <= box.byteLength ? Number(box.getBigUint64(at)) : 0;
const version = (box: DataView): number => (box.byteLength > 0 ? box.getUint8(0) : 0);

/** All bits are set if the duration is unknown. */
const UNKNOWN_DURATION = 2 ** 32 - 1;
/** Longer than any video of ours: the header is wrong. */
const MAX_SECONDS = 24 * 60 * 60;

/** By version of the box. */
const TIME_FIELDS = [
  { timescale: 12, duration: 16, read: uint32 },
  { timescale: 20, duration: 24, read: uint64 },
] as const;
/** Of the box `mehd`, in the timescale of `mvhd`. */
const FRAGMENT_DURATION = 4;

const readFragmentDuration = (movie: DataView): number => {
  const box = findBox(movie, 'mvex', 'mehd');
  if (box === undefined) return 0;
  return TIME_FIELDS[version(box)]?.read(box, FRAGMENT_DURATION) ?? 0;
};

const readSeconds = (movie: DataView): number | undefined => {
  const box = findBox(movie, 'mvhd');
  if (box === undefined) return undefined;
  const fields = TIME_FIELDS[version(box)];
  if (fields === undefined) return undefined;
  const durations = [fields.read(box, fields.duration), readFragmentDuration(movie)];
  const duration = Math.max(0, ...durations.filter((each) => each !== UNKNOWN_DURATION));
  const seconds = duration / uint32(box, fields.timescale);
  return seconds > 0 && seconds <= MAX_SECONDS ? Math.round(seconds * 1000) / 1000 : undefined;
};

type Size = { readonly width: number; readonly height: number };

const toSize = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined;

/** Where the matrix of `tkhd` begins, by version; width and height follow it. */
const MATRIX = [40, 52] as const;
const MATRIX_LENGTH = 36;

/** A quarter turn, in either direction: only the two other cells of the rotation are set. */
const isTurned = (header: DataView, matrix: number): boolean => {
  const cell = (index: number): number => uint32(header, matrix + 4 * index);
  return cell(0) === 0 && cell(4) === 0 && cell(1) !== 0 && cell(3) !== 0;
};

/** Sizes of `tkhd` have 16 binary digits after the point. */
const fromFixed = (value: number): number => Math.round(value / 2 ** 16);

/** Of the first sample entry, after its header and the fields before its size. */
const ENTRY_WIDTH = 8 + HEADER + 24;

const readEntrySize = (track: DataView): Size | undefined => {
  const entries = findBox(track, 'mdia', 'minf', 'stbl', 'stsd');
  return entries && toSize(uint16(entries, ENTRY_WIDTH), uint16(entries, ENTRY_WIDTH + 2));
};

const readTrackSize = (track: DataView): Size | undefined => {
  const header = findBox(track, 'tkhd');
  if (header === undefined) return undefined;
  const matrix = MATRIX[version(header)];
  if (matrix === undefined) return undefined;
  const side = (index: number): number => fromFixed(uint32(header, matrix + MATRIX_LENGTH + 4 * index));
  const size = toSize(side(0), side(1)) ?? readEntrySize(track);
  return size && isTurned(header, matrix) ? { width: size.height, height: size.width } : size;
};

const HANDLER_TYPE = 8;
const VIDEO_HANDLER = toCode('vide');

const isVideoTrack = (track: DataView): boolean => {
  const handler = findBox(track, 'mdia', 'hdlr');
  return handler !== undefined && uint32(handler, HANDLER_TYPE) === VIDEO_HANDLER;
};

/** The size of the first video track that has one. */
const readSize = (movie: DataView): Size | undefined => {
  for (const track of boxesOfType(movie, 'trak')) {
    const size = isVideoTrack(track) ? readTrackSize(track) : undefined;
    if (size !== undefined) return size;
  }
  return undefined;
};

export const readMovie = (content: Uint8Array): VideoFacts => {
  const movie = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const { width, height } = readSize(movie) ?? {};
  return { width, height, seconds: readSeconds(movie) };
};
