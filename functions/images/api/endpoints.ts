import type { Endpoint } from '../../identity/api/endpoint.ts';

/** API Gateway does not allow `{model}:generateContent`, so the function splits this part of the path. */
export const generateContent = {
  method: 'POST',
  path: '/v1beta/models/{model}:generateContent',
  route: '/v1beta/models/{modelAction}',
  summary: 'Generate an image, native format',
  role: 'member',
  dialect: 'native',
  throttle: 'slow',
} as const satisfies Endpoint;

export const streamGenerateContent = {
  method: 'POST',
  path: '/v1beta/models/{model}:streamGenerateContent',
  route: '/v1beta/models/{modelAction}',
  summary: 'Generate an image, native format, as a stream',
  role: 'member',
  dialect: 'native',
  throttle: 'slow',
} as const satisfies Endpoint;

export const predict = {
  method: 'POST',
  path: '/v1beta/models/{model}:predict',
  route: '/v1beta/models/{modelAction}',
  summary: 'Generate images, Imagen format',
  role: 'member',
  dialect: 'native',
  throttle: 'slow',
} as const satisfies Endpoint;

export const createChatCompletion = {
  method: 'POST',
  path: '/v1/chat/completions',
  summary: 'Generate an image, chat-completion format',
  role: 'member',
  throttle: 'slow',
} as const satisfies Endpoint;

export const generateImages = {
  method: 'POST',
  path: '/v1/images/generations',
  summary: 'Generate images, Images API format',
  role: 'member',
  throttle: 'slow',
} as const satisfies Endpoint;

export const editImages = {
  method: 'POST',
  path: '/v1/images/edits',
  summary: 'Edit images, Images API format',
  role: 'member',
  throttle: 'slow',
} as const satisfies Endpoint;

export const IMAGE_ENDPOINTS = {
  generateContent,
  streamGenerateContent,
  predict,
  createChatCompletion,
  generateImages,
  editImages,
};
