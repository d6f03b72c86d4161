import { DomainError } from '../../platform/domain/errors.ts';
import { checkPublicUrl, type PublicUrlRules } from '../../platform/domain/public-url.ts';
import { type GivenImage, type InputImage, isRemoteImage } from './input-image.ts';

/** Signed URLs of object stores are long. */
const MAX_IMAGE_ADDRESS = 8192;

/** A problem completes a sentence that begins with the name of the field. */
export const checkImageAddress = (text: string, rules: PublicUrlRules): ReturnType<typeof checkPublicUrl> =>
  checkPublicUrl(text, {
    ...rules,
    maxLength: MAX_IMAGE_ADDRESS,
    example: 'https://images.example.com/fox.png',
    allowFragment: true,
    allowAnyPort: false,
  });

/** The field of the request that has the address, for error messages. */
type FieldName = (address: string) => string;

/** Loads images from addresses that clients chose; rejects with a `DomainError` that names the field. */
export type RemoteImages = {
  load(addresses: readonly string[], fieldName: FieldName): Promise<ReadonlyMap<string, InputImage>>;
};

export const remoteImagesRefused = (param: string): DomainError =>
  new DomainError(
    'remote_image_not_supported',
    `${param} is a remote address, which is not fetched: send the file itself, or a data URI.`,
    { param },
  );

export const remoteAddresses = (images: readonly GivenImage[]): readonly string[] => [
  ...new Set(images.flatMap((image) => (isRemoteImage(image) ? [image.address] : []))),
];

/** What the specification recommends, but does not require. */
export const adviseImages = (images: readonly GivenImage[]): string | undefined =>
  images.some(isRemoteImage) ? 'files or Base64 are recommended instead of addresses of images' : undefined;
