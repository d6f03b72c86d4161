import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  type EncodedImage,
  type ImageConversion,
  type ImageConverter,
  type ImageShrinker,
  isAlready,
  PREVIEW_SIDE,
  UnreadableImage,
} from '../../catalogue/domain/image-conversion.ts';
import { decodingProblem, type InputImage, readImageHeader } from '../../catalogue/domain/input-image.ts';
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

const readResult = async (worker: Worker, deadlineMs: number): Promise<ConversionResult> => {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    const [result] = await Promise.race([
      // Rejects if the thread fails.
      once(worker, 'message'),
      once(worker, 'exit', { signal }).then(([code]) => {
        throw new Error(`The worker ended with ${code} before it answered`);
      }),
      sleep(deadlineMs, undefined, { signal }).then(() => {
        throw new UnreadableImage(`The image takes longer than ${deadlineMs / 1000} seconds to decode`);
      }),
    ]);
    return result;
  } finally {
    // Removes the other listener and the timer.
    answered.abort();
  }
};

type Thread = { readonly deadlineMs: number; readonly isKept: boolean };

/** The largest images take 10 seconds. A crafted one could occupy the function until its timeout. */
const CONVERSION: Thread = { deadlineMs: 60_000, isKept: false };

let kept: Worker | undefined;

/**
 * Runs in a thread, because an image of 4K takes seconds, and heartbeats must be sent in the meantime. A thread can be
 * kept for the next job, because starting one takes longer than making a preview.
 */
const runWorker = async (job: ConversionJob, { deadlineMs, isKept }: Thread): Promise<Uint8Array> => {
  const worker = isKept && kept !== undefined ? kept : new Worker(WORKER);
  worker.ref();
  let hasSucceeded = false;
  try {
    const answer = readResult(worker, deadlineMs);
    worker.postMessage(job);
    const result = await answer;
    if ('unreadable' in result) throw new UnreadableImage(result.unreadable);
    hasSucceeded = true;
    return result.bytes;
  } finally {
    // A decoder that has failed may be in any state, or still at work.
    const isReused = isKept && hasSucceeded;
    if (isKept) kept = isReused ? worker : undefined;
    // An idle thread must not keep the process alive.
    if (isReused) worker.unref();
    else await worker.terminate();
  }
};

let lastConversion: Promise<unknown> = Promise.resolve();

/** One conversion at a time, because several large images would not fit into the memory of a function. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  const result = lastConversion.then(work);
  lastConversion = result.catch(() => {});
  return result;
};

type Job = Omit<ConversionJob, 'bytes' | 'type'>;

const runJob = async (bytes: Uint8Array, job: Job, thread = CONVERSION): Promise<Uint8Array> => {
  const { mimeType: type, width, height, whole } = readHeader(bytes);
  if (!whole) throw new UnreadableImage('The image is truncated');
  const problem = decodingProblem(bytes);
  if (problem !== undefined) throw new UnreadableImage(`The image ${problem}`);
  if (width * height > MAX_PIXELS)
    throw new UnreadableImage(
      `The image has ${width}x${height} pixels; at most ${MAX_PIXELS / 1_000_000} million can be converted`,
    );
  return inTurn(() => runWorker({ bytes, type, ...job }, thread));
};

const encodeAgain = async (bytes: Uint8Array, conversion: ImageConversion): Promise<Uint8Array> => {
  const converted = await runJob(bytes, { conversion });
  // Compression that enlarges an image is undone.
  const isSame = readHeader(bytes).mimeType === `image/${conversion.format}`;
  return isSame && converted.length >= bytes.length ? bytes : converted;
};

/** Returns the image in the given format and quality; unchanged if it has them already. */
export const convertImage: ImageConverter = async (image, conversion): Promise<EncodedImage> => {
  const bytes = Buffer.from(image.base64, 'base64');
  if (isAlready(readHeader(bytes).mimeType, conversion)) return image;
  const converted = await encodeAgain(bytes, conversion);
  const base64 = converted === bytes ? image.base64 : Buffer.from(converted).toString('base64');
  return { mimeType: `image/${conversion.format}`, base64 };
};

const PREVIEW = { conversion: { format: 'webp', quality: 75 }, longestSide: PREVIEW_SIDE } as const;

export const shrinkImage = (bytes: Uint8Array, deadlineMs = 20_000): ReturnType<ImageShrinker> =>
  runJob(bytes, PREVIEW, { deadlineMs, isKept: true });

/** Such a JPEG cannot be told from the original. */
const COMMON = { conversion: { format: 'jpeg', quality: 95 }, transparentFormat: 'png' } as const;

/** Returns the image as JPEG, or as PNG if it is transparent somewhere: the types that every upstream accepts. */
export const toCommonType = async (image: InputImage): Promise<InputImage> => {
  const bytes = await runJob(image.bytes, COMMON);
  return { bytes, mimeType: readHeader(bytes).mimeType };
};
