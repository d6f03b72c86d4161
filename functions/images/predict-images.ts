import { readRouteModel } from '../models/api/model-actions.ts';
import { nativeDialect, rateLimitHeaders } from '../platform/api/errors.ts';
import { logger, streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { collectIgnored, ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { resolveModel } from '../platform/domain/model-aliases.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { asDomainError, ok } from '../platform/runtime/http.ts';
import { convertImage } from './adapters/convert-image.ts';
import { imagenResponse, readImagenRequest } from './api/imagen.ts';
import { credentialsHeaders, fileHeaders } from './api/images-response.ts';
import { requireImageModel } from './api/native-image.ts';
import { IMAGES, imageOrders } from './image-service.ts';
import { convertGenerated } from './usecases/convert-image.ts';

export const ENVIRONMENT = IMAGES;
const environment = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const order = imageOrders(client, environment);

export const handler = streamedEndpoint(nativeDialect, client, environment.KEY_TABLE, async (given) => {
  const { route, header, body } = given;
  const model = requireImageModel(resolveModel(environment.MODEL_ALIASES, readRouteModel(route)));
  const fields = readJsonContent(header('content-type'), body);
  const { result, ignored } = collectIgnored(fields, () => readImagenRequest(model, fields));
  const { request, count, includeReasons, conversion } = result;
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
});
