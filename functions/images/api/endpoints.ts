import { declareFor, POST } from '../../identity/api/declare-endpoint.ts';

const google = declareFor('google');

export const IMAGE_ENDPOINTS = {
  /** API Gateway does not allow `{model}:generateContent`, so the function splits this part of the path. */
  generateContent: POST(
    '/v1beta/models/{model}:generateContent',
    'Generate an image, native format',
    'member',
    { route: '/v1beta/models/{modelAction}', throttle: 'slow' },
  ),
  streamGenerateContent: POST(
    '/v1beta/models/{model}:streamGenerateContent',
    'Generate an image, native format, as a stream',
    'member',
    { route: '/v1beta/models/{modelAction}', throttle: 'slow' },
  ),
  predict: google.POST('/v1beta/models/{model}:predict', 'Generate images, Imagen format', 'member', {
    route: '/v1beta/models/{modelAction}',
    throttle: 'slow',
  }),
  createChatCompletion: POST('/v1/chat/completions', 'Generate an image, chat-completion format', 'member', {
    throttle: 'slow',
  }),
  generateImages: POST('/v1/images/generations', 'Generate images, Images API format', 'member', {
    throttle: 'slow',
  }),
  editImages: POST('/v1/images/edits', 'Edit images, Images API format', 'member', { throttle: 'slow' }),
};
