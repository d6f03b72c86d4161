import { readImageAction } from '../models/api/models.ts';
import { nativeDialect, rateLimitHeaders } from '../platform/api/errors.ts';
import { streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { collectIgnored, ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { resolveModel } from '../platform/domain/models.ts';
import { FILES, REQUEST_SIZE, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { inChunks } from '../platform/runtime/stream.ts';
import { dataEvent, EVENT_STREAM_HEADERS } from './api/images-response.ts';
import { readNativeRequest, toNativeResponse } from './api/native-image.ts';
import { IMAGES, imageLoader, imageService } from './image-service.ts';
import { startImage } from './usecases/generate-image.ts';

export const ENVIRONMENT = { ...IMAGES, ...FILES, ...REQUEST_SIZE };
const environment = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const service = imageService(client, environment);
const load = imageLoader(environment);

export const handler = streamedEndpoint(
  nativeDialect,
  client,
  environment.KEY_TABLE,
  async ({ caller, requestId, path, query, header, body }) => {
    const { model, action } = readImageAction(path('modelAction'));
    const fields = readJsonContent(header('content-type'), body);
    const { result: given, ignored } = collectIgnored(fields, () =>
      readNativeRequest(resolveModel(environment.MODEL_ALIASES, model), fields),
    );
    const request = await load(caller, fields, given);
    const { image, rateLimit } = await startImage(service, { caller, requestId, request });
    const headers = { ...rateLimitHeaders(rateLimit), ...ignoredHeaders(ignored) };
    const response = toNativeResponse(await image);
    if (action === 'generateContent') return ok(response, headers);
    // The response is checked as a whole, so a stream has one event; without `alt=sse` it is a list of one.
    if (query('alt') !== 'sse') return ok([response], headers);
    return {
      status: 200,
      headers: { ...EVENT_STREAM_HEADERS, ...headers },
      chunks: inChunks(dataEvent(response)),
    };
  },
);
