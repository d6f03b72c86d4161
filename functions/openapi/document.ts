import { MCP_API } from '../agents/api/mcp-operations.ts';
import { USAGE_API } from '../billing/api/usage-operations.ts';
import { image } from '../catalogue/api/image.ts';
import { CONSOLE_API } from '../console/api/console-operations.ts';
import { FILE_API } from '../files/api/file-operations.ts';
import { NATIVE_FILE_API } from '../files/api/native-file-operations.ts';
import { AUDIT_API } from '../identity/api/audit-log-operations.ts';
import { toOperations } from '../identity/api/declare-endpoint.ts';
import { KEY_API } from '../identity/api/key-operations.ts';
import { PEOPLE_API } from '../identity/api/people-operations.ts';
import { SESSION_API } from '../identity/api/session-operations.ts';
import { IMAGE_API } from '../images/api/image-operations.ts';
import { LIBRARY_API } from '../library/api/library-operations.ts';
import { MODEL_API } from '../models/api/model-operations.ts';
import { type ApiPart, describeOperation, type Operation, response } from '../platform/openapi/operation.ts';
import {
  ANY_ORIGIN_HEADERS,
  HEADERS,
  SHARED_PARAMETERS,
  SHARED_SCHEMAS,
  toComponents,
} from '../platform/openapi/parameters.ts';
import { RESPONSE_API } from '../responses/api/response-operations.ts';
import { SHARE_API } from '../shares/api/share-operations.ts';
import { ALTERNATIVE_VIDEO_API } from '../videos/api/alternative-video-operations.ts';
import { VIDEO_API } from '../videos/api/video-operations.ts';
import { WEBHOOK_API } from '../webhooks/api/webhook-operations.ts';
import { DOCUMENT_ENDPOINTS, ENDPOINTS, type EndpointTag } from './api/endpoints.ts';

const DOCUMENT_OPERATIONS = toOperations(DOCUMENT_ENDPOINTS, {
  getOpenApi: {
    description: 'Describes the whole API. Requires no key.',
    responses: {
      200: response(
        'An OpenAPI 3.1 document.',
        { 'application/json': { schema: { type: 'object' } } },
        ANY_ORIGIN_HEADERS,
      ),
    },
  },
});

const PARTS: readonly ApiPart[] = [
  { operations: [], schemas: { InputImage: image, ...SHARED_SCHEMAS }, parameters: SHARED_PARAMETERS },
  VIDEO_API,
  ALTERNATIVE_VIDEO_API,
  IMAGE_API,
  RESPONSE_API,
  FILE_API,
  NATIVE_FILE_API,
  MODEL_API,
  LIBRARY_API,
  SHARE_API,
  MCP_API,
  WEBHOOK_API,
  KEY_API,
  PEOPLE_API,
  SESSION_API,
  USAGE_API,
  AUDIT_API,
  CONSOLE_API,
  { operations: DOCUMENT_OPERATIONS },
];

/** The parameters in a path, which the same part of the API or another one describes. */
const pathParameters = (part: ApiPart, path: string): string[] => {
  const described = [part, ...PARTS].flatMap(({ parameters = {} }) => Object.entries(parameters));
  return Array.from(path.matchAll(/\{(\w+)\}/g)).flatMap(
    ([, wanted]) =>
      described.find(([, { in: place, name }]) => place === 'path' && name === wanted)?.[0] ?? [],
  );
};

export const OPERATIONS: readonly Operation[] = PARTS.flatMap((part) =>
  part.operations.map((operation) => ({
    ...operation,
    parameters: [...pathParameters(part, operation.path), ...(operation.parameters ?? [])],
  })),
);

const describePaths = () =>
  Object.fromEntries(
    Map.groupBy(OPERATIONS, ({ path }) => path)
      .entries()
      .map(([path, operations]) => [
        path,
        Object.fromEntries(
          operations.map((operation) => {
            const tag = ENDPOINTS[operation.id]?.tag ?? '';
            return [operation.method, describeOperation(operation, tag)];
          }),
        ),
      ]),
  );

const describeSchemas = () => {
  const schemas = toComponents(Object.assign({}, ...PARTS.map((part) => part.schemas)));
  return Object.assign({}, schemas, ...PARTS.map(({ forms }) => forms?.(schemas)));
};

const TAGS: Readonly<Record<EndpointTag, string>> = {
  Videos: 'Asynchronous video generation: create, poll, download.',
  Images: 'Image generation in several request formats.',
  Responses: 'Images in the format of the Responses API.',
  Files: 'Uploaded images that videos and images can be created from.',
  Models: 'The available models.',
  Library: 'Names of videos and images, which of them are kept, and collections.',
  Shares: 'Links to single videos and images that open without an account.',
  Agents: 'Tools for agents, through the Model Context Protocol.',
  Webhooks: 'Notifications about finished videos, instead of polling.',
  Keys: 'The API keys of the account. Requires an admin key or a console session.',
  People: 'People with their roles, and invitations. Requires an admin key or a console session.',
  Usage: 'Usage, costs and limits of the account. Requires an admin key or a console session.',
  'Audit log': 'Changes to the account and sign-ins. Requires an admin key or an admin’s console session.',
  Console: 'The console and its sessions.',
  Service: 'The service itself.',
};

const nativeKey = (place: 'header' | 'query', name: string) => ({
  type: 'apiKey',
  in: place,
  name,
  description: 'The API key, for /v1beta endpoints.',
});

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key, for all endpoints.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-mg-session',
    description: 'A console session, only for requests from the console itself.',
  },
  vendorKey: nativeKey('header', 'x-vendor-api-key'),
  googleKey: nativeKey('header', 'x-goog-api-key'),
  queryKey: nativeKey('query', 'key'),
};

export const openApiDocument = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Video and image generation',
    version: '1.0.0',
    contact: { name: 'The operator of this deployment' },
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    description:
      'Generates video clips and still images from text prompts and images. Every GET endpoint except those for signing in also accepts HEAD. Pages of allowed origins can call the API from a browser. GET /v1/models lists the models and options that this deployment offers.',
  },
  // Relative to the URL of this document, so that it fits every stage and domain.
  servers: [{ url: '.' }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  paths: describePaths(),
  components: {
    schemas: describeSchemas(),
    parameters: Object.assign({}, ...PARTS.map((part) => part.parameters)),
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
