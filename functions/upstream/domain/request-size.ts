import { maxImageBytes } from '../../catalogue/domain/models.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';

/** For the JSON around texts and images. */
const FRAME_BYTES = 2000;
const MEGABYTE = 1_000_000;

export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);
const jsonLength = (text: string): number => Buffer.byteLength(JSON.stringify(text));

type Content = {
  readonly texts: readonly (string | undefined)[];
  /** The number of bytes of each image. */
  readonly images: readonly number[];
  readonly param: string | undefined;
};

/** Refuses a request that is too large for the upstream before it is accepted or charged. */
export const requireSendable = ({ texts, images, param }: Content, megabytes: number): void => {
  const imageBytes = images.reduce((sum, bytes) => sum + bytes, 0);
  if (imageBytes > maxImageBytes(megabytes))
    throw new DomainError(
      'invalid_request',
      `The images are too large: they are ${formatMegabytes(imageBytes)} together, but a request may have at most ${formatMegabytes(maxImageBytes(megabytes))} of images.`,
      { param },
    );
  const lengths = [...texts.map((text) => jsonLength(text ?? '')), ...images.map(base64Length)];
  const bytes = lengths.reduce((sum, length) => sum + length, FRAME_BYTES);
  if (bytes <= megabytes * MEGABYTE) return;
  throw new DomainError(
    'invalid_request',
    `The request is too large: with the texts, and the images encoded as Base64, it has ${formatMegabytes(bytes)}, but the generator accepts at most ${megabytes} MB.`,
    { param },
  );
};
