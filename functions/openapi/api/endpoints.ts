import { AGENT_ENDPOINTS } from '../../agents/api/endpoints.ts';
import { USAGE_ENDPOINTS } from '../../billing/api/endpoints.ts';
import { CONSOLE_ENDPOINTS } from '../../console/api/endpoints.ts';
import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from '../../files/api/endpoints.ts';
import { MODEL_ACTION_ENDPOINTS, PUBLISHER_MODEL_ENDPOINTS } from '../../google/api/endpoints.ts';
import { type Endpoint, GET, POST } from '../../identity/api/declare-endpoint.ts';
import {
  AUDIT_ENDPOINTS,
  KEY_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  SESSION_ENDPOINTS,
} from '../../identity/api/endpoints.ts';
import { IMAGE_ENDPOINTS } from '../../images/api/endpoints.ts';
import { LIBRARY_ENDPOINTS } from '../../library/api/endpoints.ts';
import { MODEL_ENDPOINTS } from '../../models/api/endpoints.ts';
import { RESPONSE_ENDPOINTS } from '../../responses/api/endpoints.ts';
import { SHARE_ENDPOINTS } from '../../shares/api/endpoints.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS, VIDEO_ENDPOINTS } from '../../videos/api/endpoints.ts';
import { WEBHOOK_ENDPOINTS } from '../../webhooks/api/endpoints.ts';

const MISSING = 'Reject operations that this service does not offer';

/** Operations of OpenAI's API that the service does not have. They are not part of the document. */
export const NOT_OFFERED_ENDPOINTS = [
  POST('/v1/videos/characters', MISSING, 'viewer'),
  POST('/v1/videos/{task_id}', MISSING, 'viewer'),
  POST('/v1/videos/{task_id}/remix', MISSING, 'viewer'),
  GET('/v1/videos/characters/{character_id}', MISSING, 'viewer'),
] as const;
/** Stands for all of them in the function, because it has no parameter. */
export const [notOffered] = NOT_OFFERED_ENDPOINTS;

export const DOCUMENT_ENDPOINTS = { getOpenApi: GET('/openapi.json', 'Get this document', 'public') };

/** The documented endpoints with the tag of their operations. */
const TAGGED = [
  ['Videos', { ...VIDEO_ENDPOINTS, ...ALTERNATIVE_VIDEO_ENDPOINTS }],
  ['Images', IMAGE_ENDPOINTS],
  ['Responses', RESPONSE_ENDPOINTS],
  ['Files', { ...FILE_ENDPOINTS, ...NATIVE_FILE_ENDPOINTS }],
  ['Library', LIBRARY_ENDPOINTS],
  ['Models', MODEL_ENDPOINTS],
  ['Shares', SHARE_ENDPOINTS],
  ['Webhooks', WEBHOOK_ENDPOINTS],
  ['Keys', KEY_ENDPOINTS],
  ['People', PEOPLE_ENDPOINTS],
  ['Console', { ...CONSOLE_ENDPOINTS, ...SESSION_ENDPOINTS }],
  ['Usage', USAGE_ENDPOINTS],
  ['Audit log', AUDIT_ENDPOINTS],
  ['Agents', AGENT_ENDPOINTS],
  ['Service', DOCUMENT_ENDPOINTS],
] as const satisfies readonly (readonly [tag: string, Readonly<Record<string, Endpoint>>])[];

/** Other addresses of documented operations, which are not part of the document. */
const UNDOCUMENTED = [
  ['Images', MODEL_ACTION_ENDPOINTS],
  ['Images', PUBLISHER_MODEL_ENDPOINTS],
] as const satisfies readonly (readonly [EndpointTag, Readonly<Record<string, Endpoint>>])[];

export type EndpointTag = (typeof TAGGED)[number][0];

/** All documented endpoints, by the id of their operation. */
export const ENDPOINTS: Readonly<Record<string, Endpoint & { readonly tag: EndpointTag }>> =
  Object.fromEntries(
    TAGGED.flatMap(([tag, endpoints]) =>
      Object.entries<Endpoint>(endpoints).map(([id, endpoint]) => [id, { ...endpoint, tag }]),
    ),
  );

/** All endpoints with a route of the gateway, documented or not. */
export const SERVED_ENDPOINTS: readonly (Endpoint & { readonly tag: EndpointTag })[] = [
  ...Object.values(ENDPOINTS),
  ...UNDOCUMENTED.flatMap(([tag, endpoints]) =>
    Object.values<Endpoint>(endpoints).map((endpoint) => ({ ...endpoint, tag })),
  ),
];
