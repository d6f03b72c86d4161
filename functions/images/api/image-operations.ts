import { modelNames } from '../../catalogue/api/model-field.ts';
import { IMAGE_MODEL, IMAGE_TYPES } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import {
  type ApiPart,
  eventContent,
  formContent,
  jsonContent,
  jsonResponse,
  response,
} from '../../platform/openapi/operation.ts';
import {
  CONVERTED_IMAGE_HEADERS,
  IMAGE_HEADERS,
  pathParameter,
  queryParameter,
  withoutRejectedFields,
} from '../../platform/openapi/parameters.ts';
import { chatChunkSchema, chatCompletionSchema } from './chat-completion.ts';
import { IMAGE_ENDPOINTS } from './endpoints.ts';
import { IMAGE_REQUEST_EXAMPLES, IMAGE_RESPONSE_EXAMPLES } from './image-examples.ts';
import { imageConfig } from './image-options.ts';
import { imagenRequestSchema, imagenResponseSchema } from './imagen.ts';
import { imageEventSchema, imagesResponseSchema } from './images-response.ts';
import { nativeRequestSchema, nativeResponseListSchema, nativeResponseSchema } from './native-image.ts';
import { chatRequestSchema } from './read-chat-request.ts';
import { editImagesFormSchema, editImagesSchema, generateImagesSchema } from './read-images-request.ts';

const SCHEMAS = {
  ImageConfig: imageConfig,
  NativeRequest: nativeRequestSchema,
  NativeResponse: nativeResponseSchema,
  NativeResponseList: nativeResponseListSchema,
  ImagenRequest: imagenRequestSchema,
  ImagenResponse: imagenResponseSchema,
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
  ImageIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Repeating the request with the same key returns the same images as long as they are kept, and costs nothing. Ignored if images are not stored.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
  ImageModel: pathParameter('model', 'The image model.', modelNames([IMAGE_MODEL])),
  Alt: queryParameter('alt', 'sse for server-sent events. Default: a list.', ['sse']),
};

const errors = [
  'invalid_image',
  'remote_image_not_supported',
  'remote_image_not_loaded',
  'unknown_parameter',
  'upstream_rejected',
  'content_blocked',
  'not_offered',
  'model_not_found',
  'model_unavailable',
  'idempotency_key_reused',
  'request_in_progress',
  'insufficient_quota',
  'upstream_unavailable',
] as const;

/** Only requests with images have these. */
const IMAGE_ERRORS = new Set<string>([
  'invalid_image',
  'remote_image_not_supported',
  'remote_image_not_loaded',
]);

const native = {
  body: jsonContent('NativeRequest', IMAGE_REQUEST_EXAMPLES.native),
  errors,
} as const;

const imagesApi = {
  parameters: ['ImageIdempotencyKey'],
  responses: {
    200: response(
      'The images or, with stream, an event with each image.',
      {
        ...jsonContent('ImagesResponse', IMAGE_RESPONSE_EXAMPLES.images),
        ...eventContent(
          'Comments while the images are generated, then for each image one event whose data is an ImageEvent, or an error event.',
          'ImageEvent',
        ),
      },
      CONVERTED_IMAGE_HEADERS,
    ),
  },
  errors: [...errors, 'image_not_converted'],
} as const;

const OPERATIONS = toOperations(IMAGE_ENDPOINTS, {
  generateContent: {
    ...native,
    description: 'Generates an image from text and images.',
    parameters: ['ImageIdempotencyKey'],
    responses: jsonResponse('The image.', 'NativeResponse', IMAGE_RESPONSE_EXAMPLES.native, IMAGE_HEADERS),
  },
  streamGenerateContent: {
    ...native,
    description: 'The whole response is sent as one event or as a list with one item.',
    parameters: ['Alt', 'ImageIdempotencyKey'],
    responses: {
      200: response(
        'The image.',
        {
          ...jsonContent('NativeResponseList', IMAGE_RESPONSE_EXAMPLES.nativeList),
          ...eventContent('One event whose data is a NativeResponse.', 'NativeResponse'),
        },
        IMAGE_HEADERS,
      ),
    },
  },
  predict: {
    description: 'Generates up to 4 images from text. Each image is charged on its own.',
    parameters: ['ImageIdempotencyKey'],
    body: jsonContent('ImagenRequest', IMAGE_REQUEST_EXAMPLES.imagen),
    responses: jsonResponse(
      'The images.',
      'ImagenResponse',
      IMAGE_RESPONSE_EXAMPLES.imagen,
      CONVERTED_IMAGE_HEADERS,
    ),
    errors: [...errors.filter((code) => !IMAGE_ERRORS.has(code)), 'image_not_converted'],
  },
  createChatCompletion: {
    parameters: ['ImageIdempotencyKey'],
    description:
      'imageConfig (or image_config) can be at top level, in extra_body, in google, or the JSON text of a system message.',
    body: jsonContent('ChatRequest', IMAGE_REQUEST_EXAMPLES.chat),
    responses: {
      200: response(
        'The image or, with stream, events with the image.',
        {
          ...jsonContent('ChatCompletion', IMAGE_RESPONSE_EXAMPLES.chat),
          ...eventContent(
            'Comments while the image is generated, events whose data are ChatCompletionChunk objects or an error, and [DONE] at the end.',
            'ChatCompletionChunk',
          ),
        },
        IMAGE_HEADERS,
      ),
    },
    errors,
  },
  generateImages: {
    ...imagesApi,
    description:
      'aspectRatio and imageSize take precedence over imageConfig, which takes precedence over size.',
    body: jsonContent('GenerateImages', IMAGE_REQUEST_EXAMPLES.generateImages),
  },
  editImages: {
    ...imagesApi,
    description: 'Same as generating images, with images to edit. Masks are not supported.',
    body: {
      ...jsonContent('EditImages', IMAGE_REQUEST_EXAMPLES.editImages),
      ...formContent('EditImagesForm', { image: { contentType: IMAGE_TYPES.join(', ') } }, {}),
    },
  },
});

export const IMAGE_API: ApiPart = {
  operations: OPERATIONS,
  schemas: SCHEMAS,
  forms: ({ EditImagesForm = {} }) => ({ EditImagesForm: withoutRejectedFields(EditImagesForm) }),
  parameters: PARAMETERS,
};
