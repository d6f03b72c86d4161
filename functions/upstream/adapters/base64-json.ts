/** JSON documents with videos in Base64, which are decoded piece by piece. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const CLOSERS: Readonly<Record<number, string>> = { 123: '}', 91: ']' };
const isCloser = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const indexOrEnd = (bytes: Buffer, byte: number, from: number): number => {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
};

export type JsonEvent =
  /** A large value begins; the document is the text before it, with all brackets closed. */
  | { readonly kind: 'value'; readonly document: string }
  /** A part of the value, with escapes resolved. */
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'value-end' }
  /** The whole document, with an empty text for each large value. */
  | { readonly kind: 'end'; readonly document: string };

/** Splits a JSON document into the values of certain keys and the rest, without holding a whole video in memory. */
export class LargeValueScanner {
  readonly #keys: ReadonlySet<string>;
  readonly #maxText: number;
  #state: 'between' | 'string' | 'value' = 'between';
  #kept: Buffer[] = [];
  #length = 0;
  /** Closing brackets that are still missing. */
  #closers: string[] = [];
  /** The bytes of the latest text; undefined if another token followed it. */
  #string: Buffer[] | undefined;
  #key: string | undefined;
  #escape = '';

  constructor(keys: readonly string[], maxText: number) {
    this.#keys = new Set(keys);
    this.#maxText = maxText;
  }

  *take(chunk: Uint8Array): Generator<JsonEvent> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let at = 0;
    while (at < bytes.length)
      at = yield* this.#state === 'between' ? this.#takeBetween(bytes, at) : this.#takeText(bytes, at);
  }

  finish(): JsonEvent {
    if (this.#state !== 'between') throw new Error('the document ends within a text');
    return { kind: 'end', document: Buffer.concat(this.#kept).toString() };
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxText) throw new Error('the document is too large');
    this.#kept.push(bytes);
  }

  /** Takes brackets, punctuation, numbers and words up to the next text. */
  *#takeBetween(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    const end = indexOrEnd(bytes, QUOTE, from);
    for (const byte of bytes.subarray(from, end)) this.#note(byte);
    this.#keep(bytes.subarray(from, end + 1));
    if (end === bytes.length) return end;
    const isLarge = this.#key !== undefined && this.#keys.has(this.#key);
    this.#key = undefined;
    this.#string = [];
    this.#state = isLarge ? 'value' : 'string';
    if (isLarge) yield { kind: 'value', document: this.#closed() };
    return end + 1;
  }

  #note(byte: number): void {
    if (isSpace(byte)) return;
    if (byte === COLON) this.#key = this.#readKey();
    else if (CLOSERS[byte] !== undefined) this.#closers.push(CLOSERS[byte]);
    else if (isCloser(byte)) this.#closers.pop();
    if (byte !== COLON) this.#key = undefined;
    this.#string = undefined;
  }

  #readKey(): string | undefined {
    return this.#string && Buffer.concat(this.#string).toString();
  }

  #closed(): string {
    return `${Buffer.concat(this.#kept)}"${this.#closers.toReversed().join('')}`;
  }

  /** An escape is taken as a whole, so that an escaped quote ends nothing. */
  *#takeText(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    if (this.#escape !== '') return yield* this.#takeEscape(bytes, from);
    const end = Math.min(indexOrEnd(bytes, QUOTE, from), indexOrEnd(bytes, BACKSLASH, from));
    if (end > from) yield* this.#takePiece(bytes.subarray(from, end));
    if (bytes[end] === BACKSLASH) this.#escape = '\\';
    if (bytes[end] === QUOTE) {
      this.#keep(bytes.subarray(end, end + 1));
      if (this.#state === 'value') yield { kind: 'value-end' };
      this.#state = 'between';
    }
    return end + 1;
  }

  /** Some encoders escape slashes and equals signs, which Base64 contains. */
  *#takeEscape(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    this.#escape += bytes.toString('latin1', from, from + 1);
    if (this.#escape.length === (this.#escape[1] === 'u' ? 6 : 2)) {
      const resolved: unknown = JSON.parse(`"${this.#escape}"`);
      yield* this.#takePiece(Buffer.from(this.#escape, 'latin1'), String(resolved).trim());
      this.#escape = '';
    }
    return from + 1;
  }

  *#takePiece(bytes: Buffer, text?: string): Generator<JsonEvent> {
    if (this.#state === 'value') yield { kind: 'piece', text: text ?? bytes.toString('latin1') };
    else {
      this.#keep(bytes);
      this.#string?.push(bytes);
    }
  }
}

export async function* scanJson(
  body: AsyncIterable<Uint8Array>,
  keys: readonly string[],
  maxText: number,
): AsyncGenerator<JsonEvent> {
  const scanner = new LargeValueScanner(keys, maxText);
  for await (const chunk of body) yield* scanner.take(chunk);
  yield scanner.finish();
}

/** Decodes Base64 in pieces of any length. Only the last four characters may contain padding. */
export class Base64Decoder {
  #rest = '';

  take(text: string): Uint8Array {
    const characters = this.#rest + text;
    // The last group is held back, because it may be padded.
    const length = Math.max(0, characters.length - 1 - ((characters.length - 1) % 4));
    this.#rest = characters.slice(length);
    return this.#decode(characters.slice(0, length), (length / 4) * 3);
  }

  finish(): Uint8Array {
    const characters = this.#rest.replace(/=+$/, '');
    return this.#decode(characters, Math.floor((characters.length * 3) / 4));
  }

  /** Node skips characters that are not Base64, so that the result would be too short. */
  #decode(characters: string, length: number): Uint8Array {
    const bytes = Buffer.from(characters, 'base64');
    if (bytes.length !== length || characters.length % 4 === 1) throw new Error('the value is not Base64');
    return bytes;
  }
}
