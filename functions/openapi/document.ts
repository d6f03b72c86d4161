import { CONSOLE_OPERATIONS, KEY_OPERATIONS } from '../accounts/api/key-operations.ts';
import { USAGE_OPERATIONS } from '../accounts/api/usage-operations.ts';
import { FILE_OPERATIONS } from '../files/api/file-operations.ts';
import { IMAGE_OPERATIONS } from '../images/api/image-operations.ts';
import { OTHER_OPERATIONS } from '../models/api/model-operations.ts';
import { componentSchemas } from '../platform/openapi/components.ts';
import { describeOperation, type Operation } from '../platform/openapi/operation.ts';
import { HEADERS, PARAMETERS } from '../platform/openapi/parameters.ts';
import { NATIVE_OPERATIONS } from '../videos/api/native-operations.ts';
import { VIDEO_OPERATIONS } from '../videos/api/video-operations.ts';
import { WEBHOOK_OPERATIONS } from '../webhooks/api/webhook-operations.ts';

export const OPERATIONS: readonly Operation[] = [
  ...VIDEO_OPERATIONS,
  ...IMAGE_OPERATIONS,
  ...NATIVE_OPERATIONS,
  ...FILE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...KEY_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...CONSOLE_OPERATIONS,
  ...OTHER_OPERATIONS,
];

const pathsOf = (operations: readonly Operation[]) =>
  Object.fromEntries(
    Map.groupBy(operations, ({ path }) => path)
      .entries()
      .map(([path, group]) => [
        path,
        Object.fromEntries(group.map((operation) => [operation.method, describeOperation(operation)])),
      ]),
  );

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
  paths: pathsOf(OPERATIONS),
  components: {
    schemas: componentSchemas(),
    parameters: PARAMETERS,
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
