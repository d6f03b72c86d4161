import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readImageHeader } from '../../platform/domain/input-image.ts';
import {
  type EncodedImage,
  type ImageConversion,
  type ImageConverter,
  isAlready,
  UnreadableImage,
} from '../domain/image-conversion.ts';
import type { ConversionJob, ConversionResult } from './image-worker.ts';

/** The bundler puts the worker next to the bundle, which has another extension than the source. */
const WORKER = new URL(`./image-worker${extname(import.meta.url)}`, import.meta.url);

/** The largest image of the model has 18.9 million pixels, which take about 700 MB to convert. */
const MAX_PIXELS = 20_000_000;

const readHeader = (bytes: Uint8Array) => {
  const header = readImageHeader(bytes);
  if (header === undefined) throw new UnreadableImage('The image is not a JPEG, PNG or WebP image');
  return header;
};

/** A thread, because an image of 4K takes seconds, and heartbeats must be sent in the meantime. */
const runWorker = async (job: ConversionJob): Promise<Uint8Array> => {
  const worker = new Worker(WORKER, { workerData: job });
  try {
    const result = await new Promise<ConversionResult>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      // Without effect after an answer.
      worker.once('exit', (code) => reject(new Error(`The worker ended with ${code} before it answered`)));
    });
    if ('unreadable' in result) throw new UnreadableImage(result.unreadable);
    return result.bytes;
  } finally {
    await worker.terminate();
  }
};

let lastConversion: Promise<unknown> = Promise.resolve();

/** One conversion at a time, because several large images would not fit into the memory of a function. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  const result = lastConversion.then(work);
  lastConversion = result.catch(() => {});
  return result;
};

const encodeAgain = async (bytes: Uint8Array, conversion: ImageConversion): Promise<Uint8Array> => {
  const { mimeType: type, width, height, whole } = readHeader(bytes);
  if (!whole) throw new UnreadableImage('The image is truncated');
  if (width * height > MAX_PIXELS) throw new UnreadableImage(`The image has ${width}x${height} pixels`);
  const converted = await inTurn(() => runWorker({ bytes, type, conversion }));
  // Compression that enlarges an image is undone.
  return type === `image/${conversion.format}` && converted.length >= bytes.length ? bytes : converted;
};

/** Returns the image in the given format and quality; unchanged if it has them already. */
export const convertImage: ImageConverter = async (image, conversion): Promise<EncodedImage> => {
  const bytes = Buffer.from(image.base64, 'base64');
  if (isAlready(readHeader(bytes).mimeType, conversion)) return image;
  const converted = await encodeAgain(bytes, conversion);
  return { mimeType: `image/${conversion.format}`, base64: Buffer.from(converted).toString('base64') };
};
