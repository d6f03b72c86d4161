import { IMAGE_TYPES } from '../../platform/domain/models.ts';
import { ANSWER_EXAMPLES } from '../../platform/openapi/answer-examples.ts';
import {
  answer,
  eventContent,
  formContent,
  jsonContent,
  type Operation,
} from '../../platform/openapi/operation.ts';
import { RATE_LIMIT } from '../../platform/openapi/parameters.ts';
import { REQUEST_EXAMPLES } from '../../platform/openapi/request-examples.ts';

const errors = [
  'invalid_image',
  'remote_image_not_supported',
  'upstream_rejected',
  'content_blocked',
  'model_not_found',
  'insufficient_quota',
  'upstream_unavailable',
] as const;

const native = {
  dialect: 'native',
  tag: 'Images',
  method: 'post',
  body: jsonContent('NativeRequest', REQUEST_EXAMPLES.native),
  errors,
} as const;

const imagesApi = {
  dialect: 'openAi',
  tag: 'Images',
  method: 'post',
  answers: {
    200: answer(
      'The image, or with stream the event that brings it.',
      {
        ...jsonContent('ImagesResponse', ANSWER_EXAMPLES.images),
        ...eventContent(
          'Comment lines while the generation works, then one event whose data is an ImageEvent, or the event error with an Error.',
          'ImageEvent',
        ),
      },
      RATE_LIMIT,
    ),
  },
  errors,
} as const;

export const IMAGE_OPERATIONS: readonly Operation[] = [
  {
    ...native,
    path: '/v1beta/models/{model}:generateContent',
    id: 'generateContent',
    summary: 'Generate an image, native format',
    parameters: ['ImageModel'],
    answers: { 200: answer('The image.', jsonContent('NativeResponse', ANSWER_EXAMPLES.native), RATE_LIMIT) },
  },
  {
    ...native,
    path: '/v1beta/models/{model}:streamGenerateContent',
    id: 'streamGenerateContent',
    summary: 'Generate an image, native format, as a stream',
    description: 'The whole answer comes as one event or one item of a list.',
    parameters: ['ImageModel', 'Alt'],
    answers: {
      200: answer(
        'The image.',
        {
          ...jsonContent('NativeResponseList', ANSWER_EXAMPLES.nativeList),
          ...eventContent('One event whose data is a NativeResponse.', 'NativeResponse'),
        },
        RATE_LIMIT,
      ),
    },
  },
  {
    dialect: 'openAi',
    tag: 'Images',
    method: 'post',
    path: '/v1/chat/completions',
    id: 'createChatCompletion',
    summary: 'Generate an image, chat-completion format',
    description:
      'imageConfig, or image_config, can be in extra_body, at top level, in google.image_config, or the JSON text of a system message.',
    body: jsonContent('ChatRequest', REQUEST_EXAMPLES.chat),
    answers: {
      200: answer(
        'The image, or with stream the events that bring it.',
        {
          ...jsonContent('ChatCompletion', ANSWER_EXAMPLES.chat),
          ...eventContent(
            'Events whose data are ChatCompletionChunk objects, or an Error where the generation fails; comment lines while it works; [DONE] at the end.',
            'ChatCompletionChunk',
          ),
        },
        RATE_LIMIT,
      ),
    },
    errors,
  },
  {
    ...imagesApi,
    path: '/v1/images/generations',
    id: 'generateImages',
    summary: 'Generate an image, Images API format',
    description: 'Size and aspect ratio are aspectRatio and imageSize, else imageConfig, else size.',
    body: jsonContent('GenerateImages', REQUEST_EXAMPLES.generateImages),
  },
  {
    ...imagesApi,
    path: '/v1/images/edits',
    id: 'editImages',
    summary: 'Edit images, Images API format',
    description: 'As the generation of an image, with the images to edit. Masks are not supported.',
    body: {
      ...jsonContent('EditImages', REQUEST_EXAMPLES.editImages),
      ...formContent('EditImagesForm', { image: { contentType: IMAGE_TYPES.join(', ') } }, {}),
    },
  },
];
