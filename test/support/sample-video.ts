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

/** The least that counts as a whole MP4. */
export const wholeMp4 = (): Uint8Array => WHOLE.slice();
