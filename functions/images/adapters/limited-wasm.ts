import { readFile } from 'node:fs/promises';

/** Node has this global; its types do not. */
declare global {
  namespace WebAssembly {
    interface Module {}
    const compile: (bytes: Uint8Array) => Promise<Module>;
  }
}

/** Twice as much as the largest images need: a WebP of 20 million pixels takes 230 MB. */
const MEMORY_PAGES = (512 * 1024 * 1024) / 65_536;

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/** An unsigned LEB128 number, and the position after it. */
const readNumber = (bytes: Uint8Array, from: number): readonly [value: number, end: number] => {
  let [value, at] = [0, from];
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    at += 1;
    if (byte < 0x80) return [value, at];
  }
};

const writeNumber = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)];

/** Replaces the section that declares the memory, with its size when the module starts and its largest one. */
const limitMemory = (wasm: Uint8Array): Uint8Array => {
  let start = HEADER_BYTES;
  while (start < wasm.length) {
    const [length, contents] = readNumber(wasm, start + 1);
    const end = contents + length;
    if (wasm[start] === MEMORY_SECTION) {
      // One memory, and a flag that tells whether it has a largest size, precede the sizes.
      const [least] = readNumber(wasm, contents + 2);
      const memory = [1, 1, ...writeNumber(least), ...writeNumber(MEMORY_PAGES)];
      const section = [MEMORY_SECTION, ...writeNumber(memory.length), ...memory];
      return Buffer.concat([wasm.subarray(0, start), Uint8Array.from(section), wasm.subarray(end)]);
    }
    start = end;
  }
  throw new Error('The module declares no memory');
};

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** Compiles a decoder, once for each thread. It gets no more memory than the largest image needs, whatever size others claim. */
export const compileDecoder = (url: string): Promise<WebAssembly.Module> => {
  const module =
    compiled.get(url) ?? readFile(new URL(url)).then((wasm) => WebAssembly.compile(limitMemory(wasm)));
  compiled.set(url, module);
  return module;
};
