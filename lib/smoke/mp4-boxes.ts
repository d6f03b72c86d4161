import { expectTrue } from './check-failure.ts';

/** The types of the boxes that make up the file, and whether the last one ends where the file ends. */
const topBoxes = (bytes: Buffer): { readonly types: readonly string[]; readonly whole: boolean } => {
  const types: string[] = [];
  let offset = 0;
  while (offset + 16 <= bytes.length) {
    const short = bytes.readUInt32BE(offset);
    const size = short === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : short || bytes.length - offset;
    types.push(bytes.toString('latin1', offset + 4, offset + 8));
    if (size < 8) return { types, whole: false };
    offset += size;
  }
  // The smallest box is a header of eight bytes.
  if (offset + 8 === bytes.length) offset += 8;
  return { types, whole: offset === bytes.length };
};

export const expectMp4 = (bytes: Buffer): void => {
  const { types, whole } = topBoxes(bytes);
  const seen = `${bytes.length} bytes with ${types.slice(0, 8).join(', ') || 'no boxes'}`;
  const complete = types[0] === 'ftyp' && types.includes('moov') && types.includes('mdat');
  expectTrue(complete, 'an MP4 of ftyp, moov and mdat', seen);
  expectTrue(whole, 'a whole MP4', `a truncated one: ${seen}`);
};
