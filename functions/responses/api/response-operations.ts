import { PIXEL } from '../../catalogue/api/image.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import type { MadeImage } from '../../images/domain/kept-image.ts';
import { RESPONSE_ID } from '../../platform/domain/ids.ts';
import {
  type ApiPart,
  eventContent,
  jsonContent,
  jsonResponse,
  response,
} from '../../platform/openapi/operation.ts';
import { CONVERTED_IMAGE_HEADERS, pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import { nativeDocument } from '../../upstream/domain/image-request.ts';
import { RESPONSE_ENDPOINTS } from './endpoints.ts';
import { responseRequestSchema } from './read-response-request.ts';
import { responseEventSchema } from './response-events.ts';
import {
  deletedResponse,
  deletedResponseSchema,
  type ResponseState,
  responseItemSchema,
  responseSchema,
  toResponse,
} from './response-object.ts';

const SCHEMAS = {
  CreateResponse: responseRequestSchema,
  ResponseObject: responseSchema,
  ImageGenerationCall: responseItemSchema,
  ResponseEvent: responseEventSchema,
  DeletedResponse: deletedResponseSchema,
};

const PARAMETERS = {
  ResponseId: pathParameter('response_id', 'Identifier of the response.', RESPONSE_ID),
  StreamResponse: queryParameter('stream', 'true for server-sent events.', ['true', 'false']),
  StartingAfter: queryParameter('starting_after', 'Only events after this sequence number.', {
    type: 'integer',
    minimum: 0,
    maximum: 9999,
  }),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const facts = {
  image: { mimeType: 'image/png', base64: PIXEL },
  text: '',
  cutShort: false,
  tokens: { prompt: 6, output: 1120, total: 1126 },
};
const image: MadeImage = { outcome: 'image', ...facts, document: nativeDocument(facts) };

const COMPLETED: ResponseState = {
  id: 'resp_01kf0xw3g0a1b2c3d4e5f6g7h8',
  callId: 'ig_01kf0xw3g1a1b2c3d4e5f6g7h8',
  createdAt: CREATED_AT,
  completedAt: CREATED_AT + 12_000,
  status: 'completed',
  image,
  terms: {
    isBackground: false,
    instructions: null,
    metadata: {},
    previousResponseId: null,
    temperature: null,
    topP: null,
    tool: { size: '1024x1024' },
    action: 'generate',
    background: 'auto',
    hasPartialImage: false,
  },
};
const EXAMPLES = { completed: toResponse(COMPLETED) };
const EVENTS =
  'Comments while the image is generated, and events whose data are ResponseEvent objects; the last is response.completed or response.failed.';

const OPERATIONS = toOperations(RESPONSE_ENDPOINTS, {
  createResponse: {
    description:
      'Generates an image as a call of the tool image_generation, which is always called. The model is one of images, or any with that tool. Requests for text are refused at no cost.',
    parameters: ['ImageIdempotencyKey'],
    body: jsonContent('CreateResponse', {
      text: { model: IMAGE_MODEL, input: 'A fox in the snow' },
      tool: {
        model: 'gpt-5.5',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Make it night' },
              { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
            ],
          },
        ],
        tools: [{ type: 'image_generation', size: '1536x1024', output_format: 'webp' }],
      },
    }),
    responses: {
      200: response(
        'The response with its image or, with stream, its events.',
        { ...jsonContent('ResponseObject', EXAMPLES), ...eventContent(EVENTS, 'ResponseEvent') },
        CONVERTED_IMAGE_HEADERS,
      ),
    },
    errors: [
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
      'image_not_converted',
    ],
  },
  getResponse: {
    description:
      'Returns a stored response with its image, as long as the image is kept. With stream, its events are sent, also those before this request.',
    parameters: ['StreamResponse', 'StartingAfter'],
    responses: {
      200: response('The response or, with stream, its events.', {
        ...jsonContent('ResponseObject', EXAMPLES),
        ...eventContent(EVENTS, 'ResponseEvent'),
      }),
    },
  },
  deleteResponse: {
    description: 'Deletes a response and the file of its image. The charge remains.',
    responses: jsonResponse('The response is deleted.', 'DeletedResponse', {
      deleted: deletedResponse(COMPLETED.id),
    }),
    errors: ['request_in_progress', 'concurrent_update'],
  },
});

export const RESPONSE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
