import { randomUUID } from 'node:crypto';
import { base64Length } from '../domain/upstream.ts';

/** Bytes that are encoded as Base64 in JSON. */
export class Base64 {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A multiple of three, so that only the last piece needs padding. */
const PIECE_BYTES = 48 * 1024;

function* base64Pieces({ buffer, byteOffset, length }: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < length; offset += PIECE_BYTES) {
    const piece = Buffer.from(buffer, byteOffset + offset, Math.min(PIECE_BYTES, length - offset));
    yield Buffer.from(piece.toString('base64'), 'latin1');
  }
}

async function* interleaved(
  texts: readonly Uint8Array[],
  images: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for (const [position, text] of texts.entries()) {
    yield text;
    const image = images[position];
    if (image !== undefined) yield* base64Pieces(image);
  }
}

/** A JSON request body. Images are encoded while they are sent, so that no second copy is in memory. */
export const jsonBody = (value: unknown): RequestInit => {
  // Random, so that no text of a client can contain it.
  const mark = randomUUID();
  const images: Uint8Array[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof Base64)) return item;
    images.push(item.bytes);
    return mark;
  });
  const type = { 'content-type': 'application/json' };
  if (images.length === 0) return { body: json, headers: type };
  const texts = json.split(mark).map((text) => Buffer.from(text));
  const lengths = [...texts.map((text) => text.length), ...images.map((image) => base64Length(image.length))];
  const length = lengths.reduce((sum, part) => sum + part);
  return {
    body: interleaved(texts, images),
    duplex: 'half',
    headers: { ...type, 'content-length': String(length) },
  };
};
