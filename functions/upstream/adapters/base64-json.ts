/** JSON documents with videos in Base64, which are decoded piece by piece. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LOWER_U = 0x75;
const CLOSERS: Readonly<Record<number, string>> = { 123: '}', 91: ']' };
const isCloser = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const indexOrEnd = (bytes: Buffer, byte: number, from: number): number => {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
};

const [SHORT_ESCAPE, LONG_ESCAPE] = ['\\n'.length, '\\u0000'.length] as const;

/** The end of a text, or of its part in this chunk: before an escape that the chunk cuts off. */
const textEnd = (bytes: Buffer, from: number): number => {
  const quote = indexOrEnd(bytes, QUOTE, from);
  const first = bytes.subarray(from, quote).indexOf(BACKSLASH);
  if (first === -1) return quote;
  for (let at = from + first; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] !== BACKSLASH) continue;
    if (at + (bytes[at + 1] === LOWER_U ? LONG_ESCAPE : SHORT_ESCAPE) > bytes.length) return at;
    // An escaped quote ends nothing.
    at += 1;
  }
  return bytes.length;
};

const resolveEscape = (sequence: string): string => {
  const resolved: unknown = JSON.parse(`"${sequence}"`);
  return String(resolved).trim();
};

/** Some encoders escape slashes and equals signs, which Base64 contains; a hostile one escapes every character. */
const withoutEscapes = (text: string): string => {
  if (!text.includes('\\')) return text;
  const known = new Map<string, string>();
  return text.replaceAll(/\\(?:u.{4}|.)/gs, (sequence) => {
    const resolved = known.get(sequence) ?? resolveEscape(sequence);
    known.set(sequence, resolved);
    return resolved;
  });
};

export type JsonEvent =
  /** A large value begins; until the next event, the document is the text before it, with all brackets closed. */
  | { readonly kind: 'value'; readonly document: () => string }
  /** A part of the value, with escapes resolved. */
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'value-end' }
  /** The whole document, with an empty text for each large value. */
  | { readonly kind: 'end'; readonly document: string };

/** A video has one; an interaction repeats some images and has the signatures of its thoughts. */
const MAX_VALUES = 1000;

/** Splits a JSON document into the values of certain keys and the rest, without holding a whole video in memory. */
export class LargeValueScanner {
  readonly #keys: ReadonlySet<string>;
  readonly #maxText: number;
  #state: 'between' | 'string' | 'value' = 'between';
  /** Grows with the text: a piece of its own for each token would take a hundred times its bytes. */
  #kept = Buffer.alloc(1024);
  #length = 0;
  #values = 0;
  /** Closing brackets that are still missing. */
  #closers: string[] = [];
  /** Where the latest text is kept; undefined if another token followed it. */
  #string: { readonly from: number; to: number } | undefined;
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
    return { kind: 'end', document: this.#text() };
  }

  #text(from = 0, to = this.#length): string {
    return this.#kept.toString('utf8', from, to);
  }

  #keep(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#maxText) throw new Error('the document is too large');
    if (length > this.#kept.length) this.#kept = Buffer.concat([this.#kept], 2 * length);
    bytes.copy(this.#kept, this.#length);
    this.#length = length;
  }

  /** Takes brackets, punctuation, numbers and words up to the next text. */
  *#takeBetween(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    const end = indexOrEnd(bytes, QUOTE, from);
    for (const byte of bytes.subarray(from, end)) this.#note(byte);
    this.#keep(bytes.subarray(from, end + 1));
    if (end === bytes.length) return end;
    const isLarge = this.#key !== undefined && this.#keys.has(this.#key);
    this.#key = undefined;
    this.#string = { from: this.#length, to: this.#length };
    this.#state = isLarge ? 'value' : 'string';
    if (isLarge) {
      this.#values += 1;
      if (this.#values > MAX_VALUES) throw new Error('the document has too many large values');
      yield { kind: 'value', document: () => this.#closed() };
    }
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
    return this.#string && this.#text(this.#string.from, this.#string.to);
  }

  #closed(): string {
    return `${this.#text()}"${this.#closers.toReversed().join('')}`;
  }

  *#takeText(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    if (this.#escape !== '') return yield* this.#takeEscape(bytes, from);
    const end = textEnd(bytes, from);
    if (end > from) yield* this.#takePiece(bytes.subarray(from, end));
    if (bytes[end] === QUOTE) {
      this.#keep(bytes.subarray(end, end + 1));
      if (this.#state === 'value') yield { kind: 'value-end' };
      this.#state = 'between';
      return end + 1;
    }
    this.#escape = bytes.toString('latin1', end);
    return bytes.length;
  }

  /** Completes an escape that the chunk before has cut off. */
  *#takeEscape(bytes: Buffer, from: number): Generator<JsonEvent, number> {
    const kind = this.#escape[1] ?? bytes.toString('latin1', from, from + 1);
    const length = kind === 'u' ? LONG_ESCAPE : SHORT_ESCAPE;
    const end = Math.min(bytes.length, from + length - this.#escape.length);
    this.#escape += bytes.toString('latin1', from, end);
    if (this.#escape.length === length) {
      yield* this.#takePiece(Buffer.from(this.#escape, 'latin1'));
      this.#escape = '';
    }
    return end;
  }

  *#takePiece(bytes: Buffer): Generator<JsonEvent> {
    if (this.#state === 'value') yield { kind: 'piece', text: withoutEscapes(bytes.toString('latin1')) };
    else {
      this.#keep(bytes);
      if (this.#string !== undefined) this.#string.to = this.#length;
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
