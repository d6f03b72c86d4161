import { readRouteModel } from '../models/api/model-actions.ts';
import { nativeDialect, rateLimitHeaders } from '../platform/api/errors.ts';
import { logger, streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { resolveModel } from '../platform/domain/model-aliases.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { asDomainError, ok } from '../platform/runtime/http.ts';
import { imagenResponse, readImagenRequest } from './api/imagen.ts';
import { requireImageModel } from './api/native-image.ts';
import { IMAGES, imageService } from './image-service.ts';
import { generateSeveral } from './usecases/generate-several.ts';

export const ENVIRONMENT = IMAGES;
const environment = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const service = imageService(client, environment);

export const handler = streamedEndpoint(
  nativeDialect,
  client,
  environment.KEY_TABLE,
  async ({ caller, requestId, route, header, body }) => {
    const model = requireImageModel(resolveModel(environment.MODEL_ALIASES, readRouteModel(route)));
    const { request, count, includeReasons } = readImagenRequest(
      model,
      readJsonContent(header('content-type'), body),
    );
    const { outcomes, rateLimit } = await generateSeveral(
      service,
      { caller, requestId, request },
      count,
      (error) => asDomainError(error, logger),
    );
    return ok(imagenResponse(outcomes, includeReasons), rateLimitHeaders(rateLimit));
  },
);
