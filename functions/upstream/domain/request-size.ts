import { DomainError } from '../../platform/domain/errors.ts';

/** For the names, numbers and brackets around texts and images. */
const FRAME_BYTES = 2000;
const MEGABYTE = 1_000_000;

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);
const jsonLength = (text: string): number => Buffer.byteLength(JSON.stringify(text));

type Content = {
  readonly texts: readonly (string | undefined)[];
  /** The length of each image. */
  readonly images: readonly number[];
  /** The field to name where it is too much. */
  readonly param: string | undefined;
};

/** Refuses what the generator does not take in one request, before anything is accepted or paid for. */
export const requireUpstreamRoom = ({ texts, images, param }: Content, megabytes: number): void => {
  const lengths = [...texts.map((text) => jsonLength(text ?? '')), ...images.map(base64Length)];
  const bytes = lengths.reduce((sum, length) => sum + length, FRAME_BYTES);
  if (bytes <= megabytes * MEGABYTE) return;
  throw new DomainError(
    'invalid_request',
    `The images are too large together: with the texts, and as Base64, they make ${bytes} bytes, and the generator takes at most ${megabytes} MB in one request.`,
    { param },
  );
};
