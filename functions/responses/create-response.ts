import { client, streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { convertImage } from '../images/adapters/convert-image.ts';
import { EVENT_STREAM_HEADERS, imageHeaders } from '../images/api/images-response.ts';
import { imageOrders, onlyImage, settleImage, startHeaders } from '../images/image-service.ts';
import { CHAT_IMAGES } from '../images/settings.ts';
import { readIdempotencyKey } from '../platform/api/parameters.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { derivedResponseId, newResponseId } from '../platform/domain/ids.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoResponses, responseClaims } from './adapters/dynamo-responses.ts';
import { RESPONSE_ENDPOINTS } from './api/endpoints.ts';
import { imageFieldIn, readResponseRequest, withResponseModel } from './api/read-response-request.ts';
import { responseEvents } from './api/response-events.ts';
import { type ResponseState, toResponse } from './api/response-object.ts';
import { continueFrom, imageFileId, toCallId } from './domain/response.ts';
import { previousImage } from './usecases/read-response.ts';

export const ENVIRONMENT = CHAT_IMAGES;
const environment = readEnvironment(ENVIRONMENT);
const { FILE_TABLE, IMAGE_RETENTION_SECONDS } = environment;
const order = imageOrders(environment, convertImage);
const lookup = { responses: dynamoResponses(client, FILE_TABLE), now: Date.now };

export const handler = streamedEndpoint(RESPONSE_ENDPOINTS.createResponse, async (given) => {
  const { requestId, header, body, noteAlias, caller } = given;
  const { account } = caller;
  const sent = readJsonContent(header('content-type'), body);
  const fields = withResponseModel(environment.MODEL_NAMES, sent, noteAlias);
  const { data, ignored } = readResponseRequest(fields, environment.CHAT_CHORES);
  const { conversion, terms, stream } = data;
  const { previousResponseId } = terms;
  const request =
    previousResponseId === null
      ? data.request
      : continueFrom(data.request, await previousImage(lookup, account, previousResponseId));
  const now = Date.now();
  const isStored = data.isStored && IMAGE_RETENTION_SECONDS !== undefined;
  const key = readIdempotencyKey(header('idempotency-key'));
  const id = key === undefined || !isStored ? newResponseId(now) : derivedResponseId(account, key);
  const claims = responseClaims(client, FILE_TABLE, terms);
  const started = await order(given, fields, {
    request,
    conversion,
    keep: isStored ? { id, claims } : 'nothing',
    fieldName: imageFieldIn(fields),
  });
  const { createdAt } = started.claim ?? { createdAt: now };
  const callId = toCallId(imageFileId(started.claim ?? { createdAt, requestId }));
  const opening: ResponseState = { id, callId, createdAt, terms, status: 'in_progress' };
  const headers = startHeaders(started, ignored);
  const image = onlyImage(started);
  if (!stream) {
    const made = await image;
    const state = { ...opening, status: 'completed' as const, image: made, completedAt: made.completedAt };
    return ok(toResponse(state), { ...headers, ...imageHeaders([made]) });
  }
  const settled = settleImage(image, requestId).then(
    (outcome): ResponseState =>
      outcome instanceof DomainError
        ? { ...opening, status: 'failed', failure: outcome }
        : { ...opening, status: 'completed', image: outcome, completedAt: outcome.completedAt },
  );
  return {
    status: 200,
    headers: { ...EVENT_STREAM_HEADERS, ...headers },
    chunks: responseEvents(opening, settled),
    settled,
  };
});
