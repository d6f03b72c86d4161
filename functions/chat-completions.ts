import { dynamoClient } from './adapters/aws-clients.ts';
import { readJsonContent } from './api/body/json-body.ts';
import { withOwnModel } from './api/body/model.ts';
import { openAiDialect } from './api/errors.ts';
import { chatCompletion } from './api/images/chat-completion.ts';
import { readChatRequest } from './api/images/chat-request.ts';
import { chatEvents } from './api/images/chat-stream.ts';
import { EVENT_STREAM_HEADERS } from './api/images/event-stream.ts';
import { rateLimitHeaders } from './api/rate-limit.ts';
import { streamedEndpoint } from './composition/endpoint.ts';
import { imageLoader } from './composition/image-files.ts';
import { imageService, outcomeOf } from './composition/image-service.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
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
