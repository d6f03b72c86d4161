import { readImageAction } from '../catalogue/api/model-actions.ts';
import { resolveModel } from '../catalogue/domain/model-aliases.ts';
import { streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { rateLimitHeaders } from '../platform/api/errors.ts';
import { ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { inChunks } from '../platform/runtime/stream.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { dataEvent, EVENT_STREAM_HEADERS, fileHeaders } from './api/images-response.ts';
import { readNativeRequest, requireImageModel, toNativeResponse } from './api/native-image.ts';
import { IMAGES, imageOrders, onlyImage } from './image-service.ts';
import { predictImages } from './imagen-predictions.ts';

export const ENVIRONMENT = IMAGES;
const environment = readEnvironment(ENVIRONMENT);
const order = imageOrders(environment);

export const handler = streamedEndpoint(IMAGE_ENDPOINTS.generateContent, async (given) => {
  const { path, query, header, body } = given;
  const { model: name, action } = readImageAction(path.modelAction);
  const model = requireImageModel(resolveModel(environment.MODEL_ALIASES, name));
  if (action === 'predict') return predictImages(order, model, given);
  const fields = readJsonContent(header('content-type'), body);
  const { data: request, ignored } = readNativeRequest(model, fields);
  const started = await order(given, fields, { request });
  const made = await onlyImage(started);
  const headers = {
    ...rateLimitHeaders(started.rateLimit),
    ...ignoredHeaders(ignored),
    ...fileHeaders([made]),
  };
  const response = toNativeResponse(made);
  if (action === 'generateContent') return ok(response, headers);
  // The response is checked as a whole, so a stream has one event; without `alt=sse` it is a list of one.
  if (query('alt') !== 'sse') return ok([response], headers);
  return {
    status: 200,
    headers: { ...EVENT_STREAM_HEADERS, ...headers },
    chunks: inChunks(dataEvent(response)),
  };
});
