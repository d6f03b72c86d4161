import { withOwnModel } from '../catalogue/api/model-field.ts';
import { streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { chatCompletion, chatEvents } from './api/chat-completion.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { EVENT_STREAM_HEADERS, imageHeaders } from './api/images-response.ts';
import { readChatRequest } from './api/read-chat-request.ts';
import { imageOrders, onlyImage, settleImage, startHeaders } from './image-service.ts';
import { CHAT_IMAGES } from './settings.ts';

export const ENVIRONMENT = CHAT_IMAGES;
const environment = readEnvironment(ENVIRONMENT);
const order = imageOrders(environment);

export const handler = streamedEndpoint(IMAGE_ENDPOINTS.createChatCompletion, async (given) => {
  const { requestId, header, body, noteAlias } = given;
  const sent = readJsonContent(header('content-type'), body);
  const fields = withOwnModel(environment.MODEL_NAMES, 'image', sent, noteAlias);
  const { data: chat, ignored } = readChatRequest(fields, environment.CHAT_CHORES);
  const { imagePlace, includeUsage } = chat;
  const envelope = { requestId, time: Date.now() };
  const started = await order(given, fields, { request: chat.request });
  const headers = startHeaders(started, ignored);
  const image = onlyImage(started);
  if (!chat.stream) {
    const made = await image;
    return ok(chatCompletion(envelope, made, imagePlace), { ...headers, ...imageHeaders([made]) });
  }
  const settled = settleImage(image, requestId);
  const chunks = chatEvents(settled, { ...envelope, imagePlace, includeUsage });
  return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, chunks, settled };
});
