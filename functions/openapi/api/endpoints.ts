import { AGENT_ENDPOINTS } from '../../agents/api/endpoints.ts';
import { USAGE_ENDPOINTS } from '../../billing/api/endpoints.ts';
import { CONSOLE_ENDPOINTS } from '../../console/api/endpoints.ts';
import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from '../../files/api/endpoints.ts';
import type { Endpoint } from '../../identity/api/endpoint.ts';
import {
  AUDIT_ENDPOINTS,
  KEY_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  SESSION_ENDPOINTS,
} from '../../identity/api/endpoints.ts';
import { IMAGE_ENDPOINTS } from '../../images/api/endpoints.ts';
import { LIBRARY_ENDPOINTS } from '../../library/api/endpoints.ts';
import { MODEL_ENDPOINTS } from '../../models/api/endpoints.ts';
import { SHARE_ENDPOINTS } from '../../shares/api/endpoints.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS, VIDEO_ENDPOINTS } from '../../videos/api/endpoints.ts';
import { WEBHOOK_ENDPOINTS } from '../../webhooks/api/endpoints.ts';

export const getOpenApi = {
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'Get this document',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

const MISSING = {
  tag: 'Videos',
  summary: 'Reject operations that this service does not offer',
  role: 'viewer',
} as const;

/** Operations of OpenAI's API that the service does not have. They are not part of the document. */
export const NOT_OFFERED_ENDPOINTS = [
  { ...MISSING, method: 'POST', path: '/v1/videos/characters' },
  { ...MISSING, method: 'POST', path: '/v1/videos/{task_id}' },
  { ...MISSING, method: 'POST', path: '/v1/videos/{task_id}/remix' },
  { ...MISSING, method: 'GET', path: '/v1/videos/characters/{character_id}' },
] as const satisfies readonly Endpoint[];
/** Stands for all of them in the function, because it has no parameter. */
export const [notOffered] = NOT_OFFERED_ENDPOINTS;

export const DOCUMENT_ENDPOINTS = { getOpenApi };

/** All documented endpoints, by the id of their operation. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  ...USAGE_ENDPOINTS,
  ...CONSOLE_ENDPOINTS,
  ...FILE_ENDPOINTS,
  ...NATIVE_FILE_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...IMAGE_ENDPOINTS,
  ...LIBRARY_ENDPOINTS,
  ...MODEL_ENDPOINTS,
  ...DOCUMENT_ENDPOINTS,
  ...SHARE_ENDPOINTS,
  ...VIDEO_ENDPOINTS,
  ...AGENT_ENDPOINTS,
  ...ALTERNATIVE_VIDEO_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
};
