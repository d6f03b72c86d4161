import { randomUUID } from 'node:crypto';
import { base64Length } from '../domain/request-size.ts';

/** Request bodies with images, of which no second copy is in memory. A body can be sent once; each attempt has its own. */

/** Bytes that are encoded as Base64 in JSON, after a prefix such as that of a data URL. */
export class Base64 {
  readonly bytes: Uint8Array;
  readonly prefix: string;

  constructor(bytes: Uint8Array, prefix = '') {
    this.bytes = bytes;
    this.prefix = prefix;
  }
}

type Image = { readonly bytes: Uint8Array; readonly mimeType: string };

export const dataUrl = ({ bytes, mimeType }: Image): Base64 => new Base64(bytes, `data:${mimeType};base64,`);

/** A multiple of three, so that only the last piece needs padding. */
const PIECE_BYTES = 48 * 1024;

function* pieces({ buffer, byteOffset, length }: Uint8Array): Generator<Buffer> {
  for (let offset = 0; offset < length; offset += PIECE_BYTES)
    yield Buffer.from(buffer, byteOffset + offset, Math.min(PIECE_BYTES, length - offset));
}

function* base64Pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (const piece of pieces(bytes)) yield Buffer.from(piece.toString('base64'), 'latin1');
}

type Encoding = {
  readonly pieces: (image: Uint8Array) => Iterable<Uint8Array>;
  readonly length: (bytes: number) => number;
};
const BASE64: Encoding = { pieces: base64Pieces, length: base64Length };
const BINARY: Encoding = { pieces, length: (bytes) => bytes };

async function* interleaved(
  texts: readonly Uint8Array[],
  images: readonly Uint8Array[],
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  for (const [position, text] of texts.entries()) {
    yield text;
    const image = images[position];
    if (image !== undefined) yield* encoding.pieces(image);
  }
}

/** A body of texts with an image after each of them but the last. */
const streamedBody = (
  type: string,
  given: readonly string[],
  images: readonly Uint8Array[],
  encoding: Encoding,
): RequestInit => {
  const texts = given.map((text) => Buffer.from(text));
  const lengths = [
    ...texts.map((text) => text.length),
    ...images.map((image) => encoding.length(image.length)),
  ];
  const length = lengths.reduce((sum, part) => sum + part);
  return {
    body: interleaved(texts, images, encoding),
    duplex: 'half',
    headers: { 'content-type': type, 'content-length': String(length) },
  };
};

/** Images are encoded while they are sent. */
export const jsonBody = (value: unknown): RequestInit => {
  // Random, so that no text of a client can contain it.
  const mark = randomUUID();
  const images: Uint8Array[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof Base64)) return item;
    images.push(item.bytes);
    return `${item.prefix}${mark}`;
  });
  const type = 'application/json';
  if (images.length === 0) return { body: json, headers: { 'content-type': type } };
  return streamedBody(type, json.split(mark), images, BASE64);
};

type FormField = { readonly name: string; readonly value: string };
type FormFile = Image & { readonly name: string; readonly fileName: string };

export type FormFields = Readonly<Record<string, string | number | undefined>>;

/** Leaves out the fields without a value. */
export const formFields = (fields: FormFields): readonly FormField[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: String(value) }],
  );

/** The image of a form, with a file name such as `image-1.png`. */
export const imageFile = (name: string, { bytes, mimeType }: Image, index: number): FormFile => ({
  name,
  fileName: `image-${index + 1}.${mimeType.replace('image/', '')}`,
  bytes,
  mimeType,
});

export class Form {
  readonly parts: readonly (FormField | FormFile)[];

  constructor(parts: readonly (FormField | FormFile)[]) {
    this.parts = parts;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' };

/** Escaped as browsers do, so that no name can end its header. */
const quoted = (name: string): string =>
  `"${name.replace(/["\r\n]/g, (character) => ESCAPES[character] ?? '')}"`;

export const formBody = ({ parts }: Form): RequestInit => {
  // Random, so that no value of a client can contain it.
  const boundary = randomUUID();
  const texts: string[] = [];
  const images: Uint8Array[] = [];
  let text = '';
  for (const part of parts) {
    text += `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(part.name)}`;
    if ('value' in part) text += `\r\n\r\n${part.value}\r\n`;
    else {
      texts.push(`${text}; filename=${quoted(part.fileName)}\r\nContent-Type: ${part.mimeType}\r\n\r\n`);
      images.push(part.bytes);
      text = '\r\n';
    }
  }
  texts.push(`${text}--${boundary}--\r\n`);
  return streamedBody(`multipart/form-data; boundary=${boundary}`, texts, images, BINARY);
};

/** JSON, unless it is a form. */
export const toBody = (value: unknown): RequestInit =>
  value instanceof Form ? formBody(value) : jsonBody(value);
