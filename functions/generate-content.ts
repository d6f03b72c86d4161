import { dynamoClient } from './adapters/aws-clients.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { nativeDialect } from './api/errors.ts';
import { dataEvent, EVENT_STREAM_HEADERS } from './api/images/event-stream.ts';
import { readNativeRequest } from './api/images/native-request.ts';
import { nativeAnswer } from './api/images/native-response.ts';
import { readImageAction } from './api/native-action.ts';
import { rateLimitHeaders } from './api/rate-limit.ts';
import { streamedEndpoint } from './composition/endpoint.ts';
import { imageLoader } from './composition/image-files.ts';
import { imageService } from './composition/image-service.ts';
import { resolveModel } from './domain/model-aliases.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { inChunks } from './runtime/stream.ts';
import { startImage } from './usecases/generate-image.ts';

const environment = readEnvironment(ENVIRONMENTS['generate-content']);
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
    const given = readNativeRequest(resolveModel(environment.MODEL_ALIASES, model), fields);
    const request = await load(caller, fields, given);
    const { image, rateLimit } = await startImage(service, { caller, requestId, request });
    const headers = rateLimitHeaders(rateLimit);
    const answer = nativeAnswer(await image);
    if (action === 'generateContent') return ok(answer, headers);
    // The answer is checked as a whole, so a stream of it has one event; without `alt=sse` it is a list.
    if (query('alt') !== 'sse') return ok([answer], headers);
    return {
      status: 200,
      headers: { ...EVENT_STREAM_HEADERS, ...headers },
      chunks: inChunks(dataEvent(answer)),
    };
  },
);
