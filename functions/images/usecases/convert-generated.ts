import {
  type ImageConversion,
  type ImageConverter,
  UnreadableImage,
} from '../../catalogue/domain/image-conversion.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { GeneratedImage } from '../../upstream/domain/image-request.ts';
import { type ConvertedImage, losesCredentials } from '../domain/content-credentials.ts';

type Converter = { readonly convert?: ImageConverter | undefined; readonly logger: Logger };

/** Clients are told not to retry, because the next image would be charged as well. */
const toFailure = (error: unknown, { format }: ImageConversion): DomainError => {
  const reason =
    error instanceof UnreadableImage
      ? 'The generator returned an image that cannot be read'
      : `The image could not be converted to ${format}`;
  const message = `${reason}. The generation is charged; images are only converted if the request asks for another format or quality.`;
  return new DomainError('image_not_converted', message, { cause: error });
};

/** Converts an image before it is stored. If that fails, the original is stored and charged, since the upstream made it. */
export const convertGenerated = async (
  { convert, logger }: Converter,
  generated: GeneratedImage,
  conversion: ImageConversion | undefined,
  fields: Readonly<Record<'requestId' | 'account' | 'model', string>>,
): Promise<ConvertedImage> => {
  if (conversion === undefined) return generated;
  if (convert === undefined) throw new Error('this function converts no images');
  try {
    const image = await convert(generated.image, conversion);
    const lost = losesCredentials(generated.image, image);
    return { ...generated, image, ...(lost ? { contentCredentials: 'removed' } : {}) };
  } catch (error) {
    logger.error('image not converted', error, { ...fields, format: conversion.format });
    throw toFailure(error, conversion);
  }
};
