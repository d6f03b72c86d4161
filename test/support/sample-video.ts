const text = new TextEncoder();

/** One box of an MP4: its size, its type, its content. */
export const mp4Box = (type: string, payload: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const box = new Uint8Array(8 + payload.length);
  new DataView(box.buffer).setUint32(0, box.length);
  box.set(text.encode(type), 4);
  box.set(payload, 8);
  return box;
};

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const WHOLE = joined(
  mp4Box('ftyp', text.encode('isom0000')),
  mp4Box('moov', text.encode('tracks')),
  mp4Box('mdat', text.encode('pictures and sound')),
);

/** The least that counts as a whole MP4; it tells neither its size nor its duration. */
export const wholeMp4 = (): Uint8Array => WHOLE.slice();

/** A box of this length with 32-bit numbers at these positions of its content, and 0 everywhere else. */
export const numbersBox = (
  type: string,
  length: number,
  numbers: Readonly<Record<number, number>>,
): Uint8Array => {
  const content = new Uint8Array(length);
  const view = new DataView(content.buffer);
  for (const [at, value] of Object.entries(numbers)) view.setUint32(Number(at), value);
  return mp4Box(type, content);
};

export type ShownVideo = { readonly width: number; readonly height: number; readonly seconds: number };

/** Four letters as a number. */
export const letters = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();

/** Of version 0, in thousandths of a second. */
export const movieHeader = (seconds: number): Uint8Array =>
  numbersBox('mvhd', 100, { 12: 1000, 16: Math.round(seconds * 1000) });

/** Of version 0; the sides have 16 binary digits after the point. */
export const trackHeader = (width: number, height: number): Uint8Array =>
  numbersBox('tkhd', 84, {
    40: 0x10000,
    56: 0x10000,
    72: 0x40000000,
    76: width * 0x10000,
    80: height * 0x10000,
  });

export const handler = (kind: string): Uint8Array => numbersBox('hdlr', 24, { 8: letters(kind) });

const track = (kind: string, header: Uint8Array): Uint8Array =>
  mp4Box('trak', joined(header, mp4Box('mdia', handler(kind))));

/** A whole MP4 with sound, whose header describes this video. */
export const mp4Video = ({ width, height, seconds }: ShownVideo): Uint8Array =>
  joined(
    mp4Box('ftyp', text.encode('isom0000')),
    mp4Box(
      'moov',
      joined(
        movieHeader(seconds),
        track('soun', trackHeader(0, 0)),
        track('vide', trackHeader(width, height)),
      ),
    ),
    mp4Box('mdat', text.encode('pictures and sound')),
  );

/** A box with a 64-bit size: the given one or its actual length. */
export const longBox = (type: string, payload: Uint8Array, size = 16 + payload.length): Uint8Array => {
  const box = joined(mp4Box(type), new Uint8Array(8), payload);
  const view = new DataView(box.buffer);
  view.setUint32(0, 1);
  view.setBigUint64(8, BigInt(size));
  return box;
};
