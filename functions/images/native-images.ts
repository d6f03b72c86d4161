import type { ImageAction } from '../catalogue/api/model-actions.ts';
import { ownModelName } from '../catalogue/api/model-field.ts';
import type { ImageModel } from '../catalogue/domain/models.ts';
import { type AccountRequest, logger } from '../identity/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { asDomainError, type HttpResponse, ok } from '../platform/runtime/http.ts';
import { inChunks, type StreamedResponse } from '../platform/runtime/stream.ts';
import { convertImage } from './adapters/convert-image.ts';
import { imagenResponse, readImagenRequest } from './api/imagen.ts';
import { dataEvent, EVENT_STREAM_HEADERS, imageHeaders } from './api/images-response.ts';
import { readNativeRequest, requireImageModel, toNativeResponse } from './api/native-image.ts';
import { imageOrders, onlyImage, startHeaders } from './image-service.ts';
import type { ChatImageEnvironment } from './settings.ts';

/** The actions of Google's API that make images, for every path on which its clients call them. */
export const nativeImages = (environment: ChatImageEnvironment) => {
  const order = imageOrders(environment, convertImage);

  /** Answers `:predict`, the format of Imagen, which can make several images and convert them. */
  const predictImages = async (model: ImageModel, given: AccountRequest): Promise<HttpResponse> => {
    const fields = readJsonContent(given.header('content-type'), given.body);
    const { data, ignored } = readImagenRequest(model, fields);
    const { includeReasons, ...ordered } = data;
    const started = await order(given, fields, ordered);
    const outcomes = await Promise.all(
      started.images.map((image) => image.catch((error: unknown) => asDomainError(error, logger))),
    );
    const made = outcomes.flatMap((outcome) => (outcome instanceof DomainError ? [] : [outcome]));
    const headers = { ...startHeaders(started, ignored), ...imageHeaders(made) };
    return ok(imagenResponse(outcomes, includeReasons), headers);
  };

  return async (
    name: string,
    action: ImageAction,
    given: AccountRequest,
  ): Promise<HttpResponse | StreamedResponse> => {
    const model = requireImageModel(ownModelName(environment.MODEL_NAMES.aliases, name, given.noteAlias));
    if (action === 'predict') return predictImages(model, given);
    const fields = readJsonContent(given.header('content-type'), given.body);
    const { data: request, ignored } = readNativeRequest(model, fields, environment.CHAT_CHORES);
    const started = await order(given, fields, { request });
    const made = await onlyImage(started);
    const headers = { ...startHeaders(started, ignored), ...imageHeaders([made]) };
    const response = toNativeResponse(made);
    if (action === 'generateContent') return ok(response, headers);
    // The response is checked as a whole, so a stream has one event; without `alt=sse` it is a list of one.
    if (given.query('alt') !== 'sse') return ok([response], headers);
    return {
      status: 200,
      headers: { ...EVENT_STREAM_HEADERS, ...headers },
      chunks: inChunks(dataEvent(response)),
    };
  };
};
