import type { EncodedImage } from '../../catalogue/domain/image-conversion.ts';
import {
  announcedType,
  ascii,
  findPngChunk,
  jpegSegments,
  PNG_END,
  view,
} from '../../catalogue/domain/input-image.ts';
import type { ImageType } from '../../catalogue/domain/models.ts';
import type { GeneratedImage } from '../../upstream/domain/image-request.ts';

/** Content credentials (C2PA) sign the exact bytes of an image, so a converted image cannot have those of its original. */

export type RemovedCredentials = 'removed';

export type ConvertedImage = GeneratedImage & {
  /** Present if the upstream's image had credentials, and the requested conversion removed them. */
  readonly contentCredentials?: RemovedCredentials | undefined;
};

const APP11 = 0xeb;
/** `caBX` as a number. */
const PNG_CREDENTIALS = 0x63614258;

const SEARCHES: Readonly<Record<ImageType, (bytes: Uint8Array) => boolean>> = {
  'image/jpeg': (bytes) => {
    for (const { marker, offset, length } of jpegSegments(bytes))
      if (marker === APP11 && length >= 4 && ascii(bytes, offset + 4, 2) === 'JP') return true;
    return false;
  },
  'image/png': (bytes) => findPngChunk(bytes, [PNG_CREDENTIALS, PNG_END])?.name === PNG_CREDENTIALS,
  'image/webp': (bytes) => {
    const data = view(bytes);
    let offset = 12;
    while (offset + 8 <= bytes.length && ascii(bytes, offset, 4) !== 'C2PA') {
      const length = data.getUint32(offset + 4, true);
      // A chunk of odd length is padded.
      offset += 8 + length + (length % 2);
    }
    return offset + 8 <= bytes.length;
  },
};

/** Whether the image says that it has content credentials. Their signature is not verified. */
export const hasContentCredentials = (image: Uint8Array): boolean => {
  const type = announcedType(image);
  return type !== undefined && SEARCHES[type](image);
};

/** A conversion that returned the original bytes has kept them. */
export const losesCredentials = (original: EncodedImage, converted: EncodedImage): boolean =>
  converted.base64 !== original.base64 && hasContentCredentials(Buffer.from(original.base64, 'base64'));
