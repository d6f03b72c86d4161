import { chunk } from '../images.ts';

/** Parts of images that hold content credentials; the credentials themselves are the given bytes. */

export const jpegSegment = (marker: number, content: Uint8Array): Buffer => {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(2 + content.length, 2);
  return Buffer.concat([header, content]);
};

export const webpChunk = (type: string, content: Uint8Array): Buffer => {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
};

const insert = (image: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([image.subarray(0, at), part, image.subarray(at)]);

const signed = Buffer.from('a signed statement', 'latin1');

/** After the first marker. */
export const jpegWithCredentials = (jpeg: Buffer): Buffer =>
  insert(jpeg, 2, jpegSegment(0xeb, Buffer.concat([Buffer.from('JP', 'latin1'), signed])));

/** Before `IEND`. */
export const pngWithCredentials = (png: Buffer): Buffer =>
  insert(png, png.length - 12, chunk('caBX', signed));

/** At the end. */
export const webpWithCredentials = (webp: Buffer): Buffer => {
  const whole = insert(webp, webp.length, webpChunk('C2PA', signed));
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
};
