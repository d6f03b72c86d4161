import { type AccountRequest, logger } from '../identity/authentication/endpoint.ts';
import { rateLimitHeaders } from '../platform/api/errors.ts';
import { ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { asDomainError, type HttpResponse, ok } from '../platform/runtime/http.ts';
import type { GivenImageRequest } from '../upstream/domain/image-request.ts';
import { convertImage } from './adapters/convert-image.ts';
import { imagenResponse, readImagenRequest } from './api/imagen.ts';
import { credentialsHeaders, fileHeaders } from './api/images-response.ts';
import type { imageOrders } from './image-service.ts';
import { convertGenerated } from './usecases/convert-image.ts';

/** Answers `:predict`, the format of Imagen, which can make several images and convert them. */
export const predictImages = async (
  order: ReturnType<typeof imageOrders>,
  model: GivenImageRequest['model'],
  given: AccountRequest,
): Promise<HttpResponse> => {
  const fields = readJsonContent(given.header('content-type'), given.body);
  const { data, ignored } = readImagenRequest(model, fields);
  const { request, count, includeReasons, conversion } = data;
  const { images, rateLimit } = await order(given, fields, {
    request,
    count,
    options: conversion,
    convert: (image) =>
      convertGenerated({ convert: convertImage, logger }, { ...given, request, conversion }, image),
  });
  const outcomes = await Promise.all(
    images.map((image) => image.catch((error: unknown) => asDomainError(error, logger))),
  );
  const made = outcomes.flatMap((outcome) => (outcome instanceof DomainError ? [] : [outcome]));
  return ok(imagenResponse(outcomes, includeReasons), {
    ...rateLimitHeaders(rateLimit),
    ...ignoredHeaders(ignored),
    ...fileHeaders(made),
    ...credentialsHeaders(made),
  });
};
