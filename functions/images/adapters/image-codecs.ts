import { readFile } from 'node:fs/promises';
import { initEmscriptenModule } from '@jsquash/jpeg/utils.js';
import { BEST_QUALITY, type OutputFormat, type Pixels } from '../../catalogue/domain/image-conversion.ts';
import { readImageHeader } from '../../catalogue/domain/input-image.ts';
import type { ImageType } from '../../catalogue/domain/models.ts';
import { encodePng } from './encode-png.ts';
import { compileDecoder } from './limited-wasm.ts';

/** The decoders define it where it does not exist. */
declare global {
  interface ImageData extends Pixels {}
}

/** Compiled here, because the codecs would fetch their files as in a browser. */
const compile = async (url: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL(url)));

const found = <Result>(result: Result | null): Result => {
  if (result === null) throw new Error('The codec returned no image');
  return result;
};

// Codecs are imported when they are needed. The bundler puts their wasm files next to the bundle.

const decodeJpeg = async (bytes: Uint8Array): Promise<Pixels> => {
  const { default: codec } = await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js');
  const wasm = await compileDecoder(import.meta.resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
  const printed: string[] = [];
  const printErr = (line: string) => printed.push(line);
  const decoder = await initEmscriptenModule(codec, wasm, { noInitialRun: true, ...{ printErr } });
  try {
    // Applies the orientation, which is in metadata that the result does not have.
    return found(decoder.decode(bytes, true));
  } catch (error) {
    // The decoder prints the reason, then exits like a program.
    throw new Error(printed.join('; '), { cause: error });
  }
};

const decodePng = async (bytes: Uint8Array): Promise<Pixels> => {
  const { default: init, decode } = await import('@jsquash/png/codec/pkg/squoosh_png.js');
  await init(await compileDecoder(import.meta.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')));
  return decode(bytes);
};

const decodeWebp = async (bytes: Uint8Array): Promise<Pixels> => {
  const { default: codec } = await import('@jsquash/webp/codec/dec/webp_dec.js');
  const wasm = await compileDecoder(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm'));
  return found((await initEmscriptenModule(codec, wasm)).decode(bytes));
};

const encodeJpeg = async ({ data, width, height }: Pixels, quality: number): Promise<Uint8Array> => {
  const { default: codec } = await import('@jsquash/jpeg/codec/enc/mozjpeg_enc.js');
  const { defaultOptions } = await import('@jsquash/jpeg/meta.js');
  const wasm = await compile(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  const encoder = await initEmscriptenModule(codec, wasm);
  // A progressive image would be 5 % smaller and take twice the time. All decoders read baseline images.
  const options = { ...defaultOptions, quality, progressive: false, baseline: true };
  return encoder.encode(data, width, height, options);
};

const encodeWebp = async ({ data, width, height }: Pixels, quality: number): Promise<Uint8Array> => {
  const { default: codec } = await import('@jsquash/webp/codec/enc/webp_enc_simd.js');
  const { defaultOptions } = await import('@jsquash/webp/meta.js');
  const wasm = await compile(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  const encoder = await initEmscriptenModule(codec, wasm);
  return found(encoder.encode(data, width, height, { ...defaultOptions, quality }));
};

const DECODERS: Readonly<Record<ImageType, (bytes: Uint8Array) => Promise<Pixels>>> = {
  'image/jpeg': decodeJpeg,
  'image/png': decodePng,
  'image/webp': decodeWebp,
};

const ENCODERS: Readonly<Record<OutputFormat, (pixels: Pixels, quality: number) => Promise<Uint8Array>>> = {
  jpeg: encodeJpeg,
  png: async (pixels) => encodePng(pixels),
  webp: encodeWebp,
};

/** A decoder that sees another size than the checks of the header would evade them. */
export const decodeImage = async (bytes: Uint8Array, type: ImageType): Promise<Pixels> => {
  const pixels = await DECODERS[type](bytes);
  const { width, height, data } = pixels;
  const sides = [width, height].join('x');
  const { width: across, height: down } = readImageHeader(bytes) ?? { width: 0, height: 0 };
  // The orientation of a photo may swap its sides.
  if (![`${across}x${down}`, `${down}x${across}`].includes(sides) || data.length !== width * height * 4)
    throw new Error(`The image has ${sides} pixels, but its header says ${across}x${down}`);
  return pixels;
};

export const encodeImage = (
  pixels: Pixels,
  format: OutputFormat,
  quality = BEST_QUALITY,
): Promise<Uint8Array> => ENCODERS[format](pixels, quality);
