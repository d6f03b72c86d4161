import {
  type ImageConversion,
  type ImageConverter,
  UnreadableImage,
} from '../../files/domain/image-conversion.ts';
import type { Caller } from '../../identity/domain/api-key.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import type { GeneratedImage, ImageRequest } from '../../upstream/domain/image-request.ts';
import { type ConvertedImage, losesCredentials } from '../domain/content-credentials.ts';

type Converter = { readonly convert: ImageConverter; readonly logger: Logger };

type ConversionOrder = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: Pick<ImageRequest, 'model'>;
  /** Undefined to return the image as the upstream made it. */
  readonly conversion: ImageConversion | undefined;
};

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
  { caller, requestId, request, conversion }: ConversionOrder,
  generated: GeneratedImage,
): Promise<ConvertedImage> => {
  if (conversion === undefined) return generated;
  try {
    const image = await convert(generated.image, conversion);
    const lost = losesCredentials(generated.image, image);
    return { ...generated, image, ...(lost ? { contentCredentials: 'removed' } : {}) };
  } catch (error) {
    const fields = { requestId, account: caller.account, model: request.model, format: conversion.format };
    logger.error('image not converted', error, fields);
    throw toFailure(error, conversion);
  }
};
