/** Converts the images that this thread is sent. The memory of the codecs is released when it ends. */
import { parentPort } from 'node:worker_threads';
import { type ImageConversion, type OutputFormat, shrink } from '../../catalogue/domain/image-conversion.ts';
import type { ImageType } from '../../catalogue/domain/models.ts';
import { isOpaque } from './encode-png.ts';
import { decodeImage, encodeImage } from './image-codecs.ts';

export type ConversionJob = {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly conversion: ImageConversion;
  /** The format of an image that is transparent somewhere; default that of the conversion. */
  readonly transparentFormat?: OutputFormat;
  /** Larger images are shrunk to this length of the longer side. */
  readonly longestSide?: number;
};

/** Bytes, or the reason why the given ones could not be decoded. Any other failure ends the thread with an error. */
export type ConversionResult = { readonly bytes: Uint8Array } | { readonly unreadable: string };

const convert = async ({
  bytes,
  type,
  conversion: { format, quality },
  transparentFormat = format,
  longestSide = Number.POSITIVE_INFINITY,
}: ConversionJob): Promise<ConversionResult> => {
  const pixels = await decodeImage(bytes, type).catch((error: unknown) => String(error));
  if (typeof pixels === 'string') return { unreadable: pixels };
  const wanted = isOpaque(pixels.data) ? format : transparentFormat;
  return { bytes: await encodeImage(shrink(pixels, longestSide), wanted, quality) };
};

parentPort?.on('message', async (job: ConversionJob) => parentPort?.postMessage(await convert(job)));
