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

/** A text or an image. */
type Part = { readonly bytes: Uint8Array; readonly isBase64?: boolean };
const textPart = (text: string): Part => ({ bytes: Buffer.from(text) });

async function* pieces(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const { bytes, isBase64 } of parts)
    for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
      const { buffer, byteOffset, length } = bytes.subarray(offset, offset + PIECE_BYTES);
      const piece = Buffer.from(buffer, byteOffset, length);
      yield isBase64 ? Buffer.from(piece.toString('base64'), 'latin1') : piece;
    }
}

/** Images are encoded while they are sent. */
const streamedBody = (type: string, parts: readonly Part[]): RequestInit => {
  const lengths = parts.map(({ bytes, isBase64 }) => (isBase64 ? base64Length(bytes.length) : bytes.length));
  const length = lengths.reduce((sum, part) => sum + part, 0);
  return {
    body: pieces(parts),
    duplex: 'half',
    headers: { 'content-type': type, 'content-length': String(length) },
  };
};

export const jsonBody = (value: unknown): RequestInit => {
  // Random, so that no text of a client can contain it.
  const mark = randomUUID();
  const images: Part[] = [];
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof Base64)) return item;
    images.push({ bytes: item.bytes, isBase64: true });
    return `${item.prefix}${mark}`;
  });
  const type = 'application/json';
  if (images.length === 0) return { body: json, headers: { 'content-type': type } };
  const texts = json.split(mark).map(textPart);
  return streamedBody(
    type,
    texts.flatMap((text, position) => [text, ...images.slice(position, position + 1)]),
  );
};

type FormField = { readonly name: string; readonly value: string };
type FormFile = Image & { readonly name: string; readonly fileName: string };

export type FormFields = Readonly<Record<string, string | number | undefined>>;

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
  const sent = parts.flatMap((part) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(part.name)}`;
    if ('value' in part) return [textPart(`${head}\r\n\r\n${part.value}\r\n`)];
    const type = `; filename=${quoted(part.fileName)}\r\nContent-Type: ${part.mimeType}\r\n\r\n`;
    return [textPart(head + type), { bytes: part.bytes }, textPart('\r\n')];
  });
  const end = textPart(`--${boundary}--\r\n`);
  return streamedBody(`multipart/form-data; boundary=${boundary}`, [...sent, end]);
};

export const toBody = (value: unknown): RequestInit =>
  value instanceof Form ? formBody(value) : jsonBody(value);
