import { openAiDialect } from '../platform/api/errors.ts';
import { rateLimitHeaders } from '../platform/api/rate-limit.ts';
import { streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { withOwnModel } from '../platform/body/model.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { chatCompletion } from './api/chat-completion.ts';
import { readChatRequest } from './api/chat-request.ts';
import { chatEvents } from './api/chat-stream.ts';
import { EVENT_STREAM_HEADERS } from './api/event-stream.ts';
import { imageLoader } from './image-files.ts';
import { imageService, outcomeOf } from './image-service.ts';
import { startImage } from './usecases/generate-image.ts';

const environment = readEnvironment(ENVIRONMENTS['chat-completions']);
const client = dynamoClient();
const service = imageService(client, environment);
const load = imageLoader(environment);

export const handler = streamedEndpoint(
  openAiDialect,
  client,
  environment.KEY_TABLE,
  async ({ caller, requestId, header, body }) => {
    const fields = withOwnModel(environment.MODEL_ALIASES, readJsonContent(header('content-type'), body));
    const chat = readChatRequest(fields);
    const { imagePlace, includeUsage } = chat;
    const request = await load(caller, fields, chat.request);
    const envelope = { requestId, time: Date.now() };
    const { image, rateLimit } = await startImage(service, { caller, requestId, request });
    const headers = rateLimitHeaders(rateLimit);
    if (!chat.stream) return ok(chatCompletion(envelope, await image, imagePlace), headers);
    const settled = outcomeOf(image, requestId);
    const chunks = chatEvents(settled, { ...envelope, imagePlace, includeUsage });
    return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, chunks, settled };
  },
);
