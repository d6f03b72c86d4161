import { KEY_API } from '../accounts/api/key-operations.ts';
import { USAGE_API } from '../accounts/api/usage-operations.ts';
import { CONSOLE_API } from '../console/api/console-operations.ts';
import { FILE_API } from '../files/api/file-operations.ts';
import { IMAGE_API } from '../images/api/image-operations.ts';
import { MODEL_API } from '../models/api/model-operations.ts';
import { type ApiPart, describeOperation, type Operation, response } from '../platform/openapi/operation.ts';
import { ANY_ORIGIN_HEADERS, HEADERS, SHARED_PARAMETERS } from '../platform/openapi/parameters.ts';
import { SHARED_SCHEMAS, toComponents } from '../platform/openapi/schemas.ts';
import { NATIVE_VIDEO_API } from '../videos/api/native-video-operations.ts';
import { VIDEO_API } from '../videos/api/video-operations.ts';
import { WEBHOOK_API } from '../webhooks/api/webhook-operations.ts';

const DOCUMENT_API: ApiPart = {
  operations: [
    {
      tag: 'Service',
      method: 'get',
      path: '/openapi.json',
      id: 'getOpenApi',
      summary: 'This document',
      responses: {
        200: response(
          'An OpenAPI 3.1 document.',
          { 'application/json': { schema: { type: 'object' } } },
          ANY_ORIGIN_HEADERS,
        ),
      },
    },
  ],
};

const PARTS: readonly ApiPart[] = [
  { operations: [], schemas: SHARED_SCHEMAS, parameters: SHARED_PARAMETERS },
  VIDEO_API,
  NATIVE_VIDEO_API,
  IMAGE_API,
  FILE_API,
  MODEL_API,
  WEBHOOK_API,
  KEY_API,
  USAGE_API,
  CONSOLE_API,
  DOCUMENT_API,
];

export const OPERATIONS: readonly Operation[] = PARTS.flatMap(({ operations }) => operations);

const describePaths = () =>
  Object.fromEntries(
    Map.groupBy(OPERATIONS, ({ path }) => path)
      .entries()
      .map(([path, operations]) => [
        path,
        Object.fromEntries(operations.map((operation) => [operation.method, describeOperation(operation)])),
      ]),
  );

const describeSchemas = () => {
  const schemas = toComponents(Object.assign({}, ...PARTS.map((part) => part.schemas)));
  return Object.assign({}, schemas, ...PARTS.map(({ forms }) => forms?.(schemas)));
};

const TAGS = [
  { name: 'Videos', description: 'Asynchronous video generation: create, poll, download.' },
  { name: 'Images', description: 'Image generation in three request formats.' },
  { name: 'Files', description: 'Images that the account keeps for a while, to make others from.' },
  { name: 'Models', description: 'What can be asked for.' },
  { name: 'Webhooks', description: 'Being told when videos are done, instead of asking.' },
  { name: 'Keys', description: 'The API keys of the account, for admin keys and the console.' },
  { name: 'Usage', description: 'What the account used, paid and may spend, for the same.' },
  { name: 'Console', description: 'The console and the sessions of those who use it.' },
  { name: 'Not supported', description: 'Operations of the same API style that this service does not have.' },
  { name: 'Service', description: 'The service itself.' },
];

const nativeKey = (place: 'header' | 'query', name: string) => ({
  type: 'apiKey',
  in: place,
  name,
  description: 'The API key, on the /v1beta endpoints.',
});

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key, on all endpoints.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-mg-session',
    description: 'A session of the console, for requests of its own page alone.',
  },
  vendorKey: nativeKey('header', 'x-vendor-api-key'),
  googleKey: nativeKey('header', 'x-goog-api-key'),
  queryKey: nativeKey('query', 'key'),
};

/** The whole API as an OpenAPI 3.1 document. */
export const openApiDocument = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Video and image generation',
    version: '1.0.0',
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    description:
      'Generates video clips and still images from text prompts and images. Every GET can be a HEAD, whose answer has no body. Pages of allowed origins can call from a browser.',
  },
  // Beside this document, whatever stage or domain it was read from.
  servers: [{ url: '.' }],
  tags: TAGS,
  paths: describePaths(),
  components: {
    schemas: describeSchemas(),
    parameters: Object.assign({}, ...PARTS.map((part) => part.parameters)),
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
