/** Markers of a JPEG that carry its size; the others between them are something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegLongerSide = (bytes: Buffer): number => {
  let offset = 2;
  while (offset + 9 < bytes.length && bytes[offset] === 0xff) {
    const marker = bytes.readUInt8(offset + 1);
    if (isFrame(marker)) return Math.max(bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7));
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return 0;
};

/** The longer side of a JPEG or PNG in pixels; 0 for anything else. */
export const longerSide = (bytes: Buffer): number => {
  if (bytes.length > 24 && bytes.toString('latin1', 1, 4) === 'PNG')
    return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegLongerSide(bytes) : 0;
};
