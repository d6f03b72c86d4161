import { PIXEL } from '../../platform/body/image.ts';
import { modelNames } from '../../platform/body/model.ts';
import { IMAGE_MODEL, IMAGE_TYPES } from '../../platform/domain/models.ts';
import {
  type ApiPart,
  eventContent,
  formContent,
  jsonContent,
  type Operation,
  response,
} from '../../platform/openapi/operation.ts';
import { pathParameter, queryParameter, RATE_LIMIT_HEADERS } from '../../platform/openapi/parameters.ts';
import { withoutRefused } from '../../platform/openapi/schemas.ts';
import type { GeneratedImage } from '../domain/image-request.ts';
import { chatChunkSchema, chatCompletion, chatCompletionSchema } from './chat-completion.ts';
import { chatRequestSchema } from './chat-request.ts';
import { imageConfig } from './image-options.ts';
import { editImagesFormSchema, editImagesSchema, generateImagesSchema } from './images-request.ts';
import { imageEventSchema, imagesResponse, imagesResponseSchema } from './images-response.ts';
import {
  nativeRequestSchema,
  nativeResponseListSchema,
  nativeResponseSchema,
  toNativeResponse,
} from './native-image.ts';

const SCHEMAS = {
  ImageConfig: imageConfig,
  NativeRequest: nativeRequestSchema,
  NativeResponse: nativeResponseSchema,
  NativeResponseList: nativeResponseListSchema,
  ChatRequest: chatRequestSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatChunkSchema,
  GenerateImages: generateImagesSchema,
  EditImages: editImagesSchema,
  EditImagesForm: editImagesFormSchema,
  ImagesResponse: imagesResponseSchema,
  ImageEvent: imageEventSchema,
};

const PARAMETERS = {
  ImageModel: pathParameter('model', 'The image model.', { type: 'string', ...modelNames([IMAGE_MODEL]) }),
  Alt: queryParameter('alt', 'sse for server-sent events; a list otherwise.', {
    type: 'string',
    enum: ['sse'],
  }),
};

/** Can be sent as they are. */
export const IMAGE_REQUEST_EXAMPLES = {
  native: {
    text: {
      contents: [{ parts: [{ text: 'A fox in the snow' }] }],
      generationConfig: {
        responseModalities: ['image'],
        imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      },
    },
    edit: {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Make it night' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }],
        },
      ],
    },
  },
  generateImages: {
    text: { prompt: 'A fox in the snow' },
    options: {
      model: IMAGE_MODEL,
      prompt: 'A fox in the snow',
      size: '1536x1024',
      output_format: 'jpeg',
      response_format: 'b64_json',
      n: 1,
      stream: false,
    },
  },
  editImages: {
    image: {
      prompt: 'Make it night',
      images: [{ image_url: `data:image/png;base64,${PIXEL}` }],
      aspectRatio: '16:9',
      imageSize: '2K',
    },
  },
  chat: {
    extra_body: {
      model: IMAGE_MODEL,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'A fox in the snow' }] }],
      extra_body: { imageConfig: { aspectRatio: '16:9', imageSize: '2K' } },
    },
    system_message: {
      model: IMAGE_MODEL,
      messages: [
        { role: 'system', content: '{"aspectRatio":"9:16","imageSize":"1K"}' },
        { role: 'user', content: 'A fox in the snow' },
      ],
      modalities: ['text', 'image'],
    },
  },
} as const;

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const generated: GeneratedImage = {
  outcome: 'image',
  image: { mimeType: 'image/png', base64: PIXEL },
  text: 'Here is your fox.',
  cutShort: false,
  tokens: { prompt: 6, output: 1120, total: 1126 },
  document: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'Here is your fox.' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1120, totalTokenCount: 1126 },
  },
};
const envelope = { requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef', time: CREATED_AT };

const RESPONSE_EXAMPLES = {
  native: { image: toNativeResponse(generated) },
  nativeList: { image: [toNativeResponse(generated)] },
  images: { image: imagesResponse(CREATED_AT, generated) },
  chat: {
    markdown: chatCompletion(envelope, generated, 'markdown'),
    images: chatCompletion(envelope, generated, 'list'),
  },
};

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
  body: jsonContent('NativeRequest', IMAGE_REQUEST_EXAMPLES.native),
  errors,
} as const;

const imagesApi = {
  dialect: 'openAi',
  tag: 'Images',
  method: 'post',
  responses: {
    200: response(
      'The image, or with stream the event that brings it.',
      {
        ...jsonContent('ImagesResponse', RESPONSE_EXAMPLES.images),
        ...eventContent(
          'Comment lines while the generation works, then one event whose data is an ImageEvent, or the event error with an Error.',
          'ImageEvent',
        ),
      },
      RATE_LIMIT_HEADERS,
    ),
  },
  errors,
} as const;

const OPERATIONS: readonly Operation[] = [
  {
    ...native,
    path: '/v1beta/models/{model}:generateContent',
    id: 'generateContent',
    summary: 'Generate an image, native format',
    parameters: ['ImageModel'],
    responses: {
      200: response(
        'The image.',
        jsonContent('NativeResponse', RESPONSE_EXAMPLES.native),
        RATE_LIMIT_HEADERS,
      ),
    },
  },
  {
    ...native,
    path: '/v1beta/models/{model}:streamGenerateContent',
    id: 'streamGenerateContent',
    summary: 'Generate an image, native format, as a stream',
    description: 'The whole answer comes as one event or one item of a list.',
    parameters: ['ImageModel', 'Alt'],
    responses: {
      200: response(
        'The image.',
        {
          ...jsonContent('NativeResponseList', RESPONSE_EXAMPLES.nativeList),
          ...eventContent('One event whose data is a NativeResponse.', 'NativeResponse'),
        },
        RATE_LIMIT_HEADERS,
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
    body: jsonContent('ChatRequest', IMAGE_REQUEST_EXAMPLES.chat),
    responses: {
      200: response(
        'The image, or with stream the events that bring it.',
        {
          ...jsonContent('ChatCompletion', RESPONSE_EXAMPLES.chat),
          ...eventContent(
            'Events whose data are ChatCompletionChunk objects, or an Error where the generation fails; comment lines while it works; [DONE] at the end.',
            'ChatCompletionChunk',
          ),
        },
        RATE_LIMIT_HEADERS,
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
    body: jsonContent('GenerateImages', IMAGE_REQUEST_EXAMPLES.generateImages),
  },
  {
    ...imagesApi,
    path: '/v1/images/edits',
    id: 'editImages',
    summary: 'Edit images, Images API format',
    description: 'As the generation of an image, with the images to edit. Masks are not supported.',
    body: {
      ...jsonContent('EditImages', IMAGE_REQUEST_EXAMPLES.editImages),
      ...formContent('EditImagesForm', { image: { contentType: IMAGE_TYPES.join(', ') } }, {}),
    },
  },
];

export const IMAGE_API: ApiPart = {
  operations: OPERATIONS,
  schemas: SCHEMAS,
  forms: ({ EditImagesForm = {} }) => ({ EditImagesForm: withoutRefused(EditImagesForm) }),
  parameters: PARAMETERS,
};
