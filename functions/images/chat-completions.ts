import { openAiDialect, rateLimitHeaders } from '../platform/api/errors.ts';
import { streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { collectIgnored, ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { withOwnModel } from '../platform/body/schema.ts';
import { FILES, REQUEST_SIZE, readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { chatCompletion, chatEvents } from './api/chat-completion.ts';
import { readChatRequest } from './api/chat-request.ts';
import { EVENT_STREAM_HEADERS } from './api/images-response.ts';
import { IMAGES, imageLoader, imageService, settleImage } from './image-service.ts';
import { startImage } from './usecases/generate-image.ts';

export const ENVIRONMENT = { ...IMAGES, ...FILES, ...REQUEST_SIZE };
const environment = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const service = imageService(client, environment);
const load = imageLoader(environment);

export const handler = streamedEndpoint(
  openAiDialect,
  client,
  environment.KEY_TABLE,
  async ({ caller, requestId, header, body }) => {
    const fields = withOwnModel(environment.MODEL_ALIASES, readJsonContent(header('content-type'), body));
    const { result: chat, ignored } = collectIgnored(fields, () => readChatRequest(fields));
    const { imagePlace, includeUsage } = chat;
    const request = await load(caller, fields, chat.request);
    const envelope = { requestId, time: Date.now() };
    const { image, rateLimit } = await startImage(service, { caller, requestId, request });
    const headers = { ...rateLimitHeaders(rateLimit), ...ignoredHeaders(ignored) };
    if (!chat.stream) return ok(chatCompletion(envelope, await image, imagePlace), headers);
    const settled = settleImage(image, requestId);
    const chunks = chatEvents(settled, { ...envelope, imagePlace, includeUsage });
    return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, chunks, settled };
  },
);
