import { streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { EVENT_STREAM_HEADERS } from '../images/api/images-response.ts';
import { FILES, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { RESPONSE_ENDPOINTS } from './api/endpoints.ts';
import { responseEvents } from './api/response-events.ts';
import { toResponse } from './api/response-object.ts';
import { storedResponses } from './stored-responses.ts';

export const ENVIRONMENT = { ...KEYS, ...FILES };
const read = storedResponses(readEnvironment(ENVIRONMENT));

export const handler = streamedEndpoint(RESPONSE_ENDPOINTS.getResponse, async ({ caller, path, query }) => {
  const state = await read(caller.account, path.response_id);
  if (!query.stream) return ok(toResponse(state));
  const chunks = responseEvents(state, Promise.resolve(state), query.startingAfter);
  return { status: 200, headers: EVENT_STREAM_HEADERS, chunks };
});
