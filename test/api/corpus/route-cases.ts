import { MODEL } from '../../support/http.ts';
import { CHAT, EDITS, GENERATIONS, IMAGEN, NATIVE } from '../../support/images/requests.ts';
import { type Case, JSON_TYPE } from './case.ts';

const MISSING = 'task_00000000000000000000000000';
const openAi = { family: 'openAi', method: 'GET' } as const;

const IDS = [
  MISSING,
  'task_',
  'task_x',
  'x',
  '0',
  'undefined',
  MISSING.toUpperCase(),
  `${MISSING}0`,
  'task_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'task_k0000000000000000000000000',
  `${MISSING}%00`,
  `${MISSING}%0a`,
  '..%2f..%2fetc%2fpasswd',
  "'%20or%201=1--",
  '%7B%7D',
  '%F0%9F%A6%8A',
  'x'.repeat(3000),
];
const TASK_PATHS = [
  ['GET', (id: string) => `/v1/videos/${id}`],
  ['DELETE', (id: string) => `/v1/videos/${id}`],
  ['GET', (id: string) => `/v1/videos/${id}/content`],
  ['GET', (id: string) => `/v1/video/generations/${id}`],
] as const;

const idCases = (): Case[] =>
  TASK_PATHS.flatMap(([method, pathOf]) =>
    IDS.map((id) => ({
      ...openAi,
      title: `${method} ${pathOf(id.slice(0, 40))}`,
      method,
      path: pathOf(id),
      statuses: [404],
    })),
  );

/** The same task natively: an id in any form that is none is not found. */
const nativeIdCases = (): Case[] =>
  [
    (id: string) => `/v1beta/operations/${id}`,
    (id: string) => `/v1beta/models/${MODEL}/operations/${id}`,
    (id: string) => `/v1beta/files/${id.replace('task_', '')}:download?alt=media`,
    (id: string) => `/v1beta/files/${id}`,
  ].flatMap((pathOf) =>
    IDS.map((id) => ({
      family: 'native' as const,
      method: 'GET',
      title: `GET ${pathOf(id.slice(0, 40))}`,
      path: pathOf(id),
      statuses: [404],
    })),
  );

const QUERIES: readonly (readonly [query: string, param: string])[] = [
  ...['0', '101', '-1', '1.0', '1e1', '', '%20', 'x', '１', '9'.repeat(100), '%00', '1%2C2'].map(
    (limit) => [`limit=${limit}`, 'limit'] as const,
  ),
  ...['x', 'task_', '../x', MISSING.slice(1), '%00', 'x'.repeat(3000), `${MISSING}%20`].map(
    (after) => [`after=${after}`, 'after'] as const,
  ),
  ...['', 'up', 'ASC', 'desc%20', '1', '__proto__', 'constructor'].map(
    (order) => [`order=${order}`, 'order'] as const,
  ),
];

const queryCases = (): Case[] =>
  QUERIES.map(([query, param]) => ({
    ...openAi,
    title: `GET /v1/videos?${query.slice(0, 60)}`,
    path: `/v1/videos?${query}`,
    statuses: [400],
    param,
  }));

const ENDPOINTS: readonly (readonly [Case['family'], method: string, path: string])[] = [
  ['openAi', 'POST', '/v1/videos'],
  ['openAi', 'GET', '/v1/videos'],
  ['openAi', 'GET', `/v1/videos/${MISSING}`],
  ['openAi', 'POST', `/v1/videos/${MISSING}/cancel`],
  ['openAi', 'DELETE', `/v1/videos/${MISSING}`],
  ['openAi', 'GET', `/v1/videos/${MISSING}/content`],
  ['openAi', 'POST', '/v1/video/generations'],
  ['openAi', 'GET', `/v1/video/generations/${MISSING}`],
  ['openAi', 'GET', '/v1/models'],
  ['openAi', 'GET', `/v1/models/${MODEL}`],
  ['openAi', 'POST', `/v1/videos/${MISSING}/remix`],
  ['openAi', 'POST', CHAT],
  ['openAi', 'POST', GENERATIONS],
  ['openAi', 'POST', EDITS],
  ['native', 'POST', NATIVE],
  ['native', 'POST', IMAGEN],
  ['native', 'GET', '/v1beta/models'],
  ['native', 'POST', `/v1beta/models/${MODEL}:predictLongRunning`],
  ['native', 'GET', `/v1beta/operations/${MISSING}`],
  ['native', 'GET', `/v1beta/files/${MISSING.slice(5)}:download`],
];

const BAD_KEYS = ['', 'x', 'Bearer', `mgk_${'x'.repeat(50)}`, `mgk_${'x'.repeat(500)}`, '{}', 'null', '"'];
const toHeaders = (family: Case['family'], key: string): Record<string, string>[] =>
  family === 'native'
    ? [{ 'x-vendor-api-key': key }]
    : [{ authorization: `Bearer ${key}` }, { authorization: key }];

const keyCases = (): Case[] =>
  ENDPOINTS.flatMap(([family, method, path]) =>
    [{}, ...BAD_KEYS.flatMap((key) => toHeaders(family, key))].map((key) => ({
      title: `${method} ${path} with the key ${JSON.stringify(key).slice(0, 60)}`,
      family,
      method,
      path,
      key,
      headers: JSON_TYPE,
      ...(method === 'POST' ? { body: '{}' } : {}),
      statuses: [401],
      ...(family === 'openAi' ? { code: 'invalid_api_key' } : {}),
    })),
  );

const NO_ROUTES = ['/v1', '/v1/', '/v2/videos', '/v1/nothing', '/V1/videos', '/v1/videos/x/y/z', '/.env'];

const otherCases = (): Case[] => [
  ...NO_ROUTES.map((path) => ({ ...openAi, title: `GET ${path}`, path, statuses: [404] })),
  ...['PUT', 'PATCH'].flatMap((method) =>
    ENDPOINTS.slice(0, 5).map(([, , path]) => ({
      ...openAi,
      title: `${method} ${path}`,
      method,
      path,
      statuses: [404],
    })),
  ),
  ...['', 'k'.repeat(256), 'a\tb', 'é'].map((key) => ({
    ...openAi,
    title: `POST /v1/videos with the idempotency key ${key.slice(0, 20)}`,
    method: 'POST',
    path: '/v1/videos',
    headers: { ...JSON_TYPE, 'idempotency-key': key },
    body: JSON.stringify({ model: MODEL, prompt: 'a fox' }),
    statuses: [400],
    param: 'Idempotency-Key',
  })),
  ...['x', '', '__proto__', 'video-3.1-generate-preview%20', 'x'.repeat(3000)].map((model) => ({
    ...openAi,
    title: `GET /v1/models/${model.slice(0, 40)}`,
    path: `/v1/models/${model || '%20'}`,
    statuses: [404],
  })),
  ...['x', 'x:generateContent', 'x:', ':', ':generateContent', '%3agenerateContent', `${MODEL}:x`].map(
    (modelAction) => ({
      title: `POST /v1beta/models/${modelAction}`,
      family: 'native' as const,
      method: 'POST',
      path: `/v1beta/models/${modelAction}`,
      headers: JSON_TYPE,
      body: '{}',
      statuses: [404],
    }),
  ),
  ...['thumbnail', 'spritesheet', '', 'VIDEO', 'x'.repeat(3000)].map((variant) => ({
    ...openAi,
    title: `GET content?variant=${variant.slice(0, 40)}`,
    path: `/v1/videos/${MISSING}/content?variant=${variant}`,
    statuses: [400, 404],
  })),
];

export const ROUTE_CASES: readonly Case[] = [
  ...idCases(),
  ...nativeIdCases(),
  ...queryCases(),
  ...keyCases(),
  ...otherCases(),
];
