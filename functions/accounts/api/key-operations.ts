import { generateApiKey } from '../../platform/domain/api-key.ts';
import { DEFAULT_REQUEST_MEGABYTES, imageRoom } from '../../platform/domain/models.ts';
import type { Session } from '../../platform/domain/session.ts';
import { type ApiPart, jsonContent, type Operation, response } from '../../platform/openapi/operation.ts';
import { pathParameter, queryParameter, SESSION_HEADERS } from '../../platform/openapi/parameters.ts';
import {
  ACCESSES,
  createdKey,
  createdKeySchema,
  deletedKey,
  deletedKeySchema,
  keyChangeSchema,
  keyList,
  keyListSchema,
  keyObject,
  keySchema,
  newKeySchema,
  newServiceAccountKeySchema,
  serviceAccountKey,
  serviceAccountKeySchema,
} from './key-object.ts';
import {
  currentSessionObject,
  currentSessionSchema,
  endedSession,
  endedSessionSchema,
  linkObject,
  linkSchema,
  sessionList,
  sessionListSchema,
  sessionObject,
  sessionSchema,
  signInSchema,
} from './session-object.ts';

const SCHEMAS = {
  SignIn: signInSchema,
  Session: sessionSchema,
  CurrentSession: currentSessionSchema,
  SessionList: sessionListSchema,
  EndedSession: endedSessionSchema,
  SignInLink: linkSchema,
  NewKey: newKeySchema,
  NewServiceAccountKey: newServiceAccountKeySchema,
  KeyChange: keyChangeSchema,
  Key: keySchema,
  KeyList: keyListSchema,
  CreatedKey: createdKeySchema,
  ServiceAccountKey: serviceAccountKeySchema,
  DeletedKey: deletedKeySchema,
};

const PARAMETERS = {
  SessionId: pathParameter(
    'session_id',
    'A session id, `current` for the session of the request, or `all`.',
    {
      type: 'string',
      pattern: '^(sess_[0-9a-f]{32}|current|all)$',
    },
  ),
  ProjectId: pathParameter('project_id', 'The name of the account.', { type: 'string' }),
  ServiceAccountId: pathParameter(
    'service_account_id',
    'The name of the account again: each account has one service account.',
    { type: 'string' },
  ),
  KeyId: pathParameter('key_id', 'Identifier of the key.', { type: 'string' }),
  AfterKey: queryParameter('after', 'Returns keys after this one, such as last_id of the previous page.', {
    type: 'string',
  }),
  OwnerProjectAccess: queryParameter('owner_project_access', 'Only active keys, or only inactive keys.', {
    type: 'string',
    enum: ACCESSES,
    default: 'any',
  }),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const HOUR = 60 * 60 * 1000;
const LAST_CHARGE = CREATED_AT + HOUR;
const BASE_URL = 'https://api.example.com';
const TOKEN = `mgl_${'0'.repeat(43)}.example`;

const session: Session = {
  id: `sess_${'0'.repeat(32)}`,
  account: 'example',
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 12 * HOUR,
  secretHash: '',
};

const key = {
  ...generateApiKey('example', 'Render farm', CREATED_AT, { monthlyBudget: '20' }).stored,
  id: 'key_0123456789abcdef',
  lastFour: 'wxyz',
};
const VALUE = 'mgk_…';

const EXAMPLES = {
  signIn: { link: { token: TOKEN } },
  session: { session: sessionObject(session) },
  current: {
    session: currentSessionObject(session, {
      baseUrl: BASE_URL,
      prices: { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} },
      videoRetentionDays: 7,
      imageBytes: imageRoom(DEFAULT_REQUEST_MEGABYTES),
      sampleGenerator: false,
      limits: { monthlyBudget: '100', videosAtOnce: undefined, createsPerMinute: 60 },
    }),
  },
  sessions: { page: sessionList([session], session.id) },
  ended: { ended: endedSession(session.id) },
  link: { link: linkObject(BASE_URL, TOKEN, { linkUntil: CREATED_AT + HOUR / 4 }) },
  newKey: { key: { name: 'Render farm', expires_in_seconds: 2_592_000, monthly_budget: '20' } },
  keyChange: { change: { name: 'Render farm 2', expires_in_seconds: null, monthly_budget: '50' } },
  key: { key: keyObject(key, CREATED_AT, LAST_CHARGE) },
  keys: {
    page: keyList({ keys: [key], hasMore: false, lastCharges: new Map([[key.id, LAST_CHARGE]]) }, CREATED_AT),
  },
  createdKey: { key: createdKey(key, VALUE) },
  serviceAccountKey: { key: serviceAccountKey(key, VALUE) },
  deletedKey: { deleted: deletedKey(key.id) },
} as const;

const keyOperation = { dialect: 'openAi', tag: 'Keys', errors: ['not_found'] } as const;
const PROJECT = '/v1/organization/projects/{project_id}';

const KEY_OPERATIONS: readonly Operation[] = [
  {
    ...keyOperation,
    method: 'get',
    path: `${PROJECT}/api_keys`,
    id: 'listKeys',
    summary: 'List API keys',
    description: 'The keys of the account, newest first, without their values.',
    parameters: ['ProjectId', 'Limit', 'AfterKey', 'OwnerProjectAccess'],
    responses: { 200: response('A page of keys.', jsonContent('KeyList', EXAMPLES.keys)) },
  },
  {
    ...keyOperation,
    method: 'post',
    path: `${PROJECT}/api_keys`,
    id: 'createKey',
    summary: 'Create an API key',
    description: 'The value is returned only once.',
    parameters: ['ProjectId'],
    body: jsonContent('NewKey', EXAMPLES.newKey),
    responses: { 200: response('The key.', jsonContent('CreatedKey', EXAMPLES.createdKey)) },
  },
  {
    ...keyOperation,
    method: 'post',
    path: `${PROJECT}/api_keys/{key_id}`,
    id: 'updateKey',
    summary: 'Change an API key',
    description: 'Changes its name, expiry or budget, within 60 seconds. The key itself stays the same.',
    parameters: ['ProjectId', 'KeyId'],
    body: jsonContent('KeyChange', EXAMPLES.keyChange),
    responses: { 200: response('The changed key.', jsonContent('Key', EXAMPLES.key)) },
  },
  {
    ...keyOperation,
    method: 'delete',
    path: `${PROJECT}/api_keys/{key_id}`,
    id: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Requests with the key are rejected within 60 seconds.',
    parameters: ['ProjectId', 'KeyId'],
    responses: { 200: response('The key is revoked.', jsonContent('DeletedKey', EXAMPLES.deletedKey)) },
  },
  {
    ...keyOperation,
    method: 'post',
    path: `${PROJECT}/service_accounts/{service_account_id}/api_keys`,
    id: 'createServiceAccountKey',
    summary: 'Create an API key of a service account',
    description: 'For the SDK. Each account has one service account, with the same name.',
    parameters: ['ProjectId', 'ServiceAccountId'],
    body: jsonContent('NewServiceAccountKey', EXAMPLES.newKey),
    responses: {
      200: response('The key.', jsonContent('ServiceAccountKey', EXAMPLES.serviceAccountKey)),
    },
  },
];

const sessionOperation = { dialect: 'openAi', tag: 'Console' } as const;
const SESSION_OPERATIONS: readonly Operation[] = [
  {
    tag: 'Console',
    method: 'post',
    path: '/v1/console/sessions',
    id: 'createSession',
    summary: 'Sign in with a link',
    description: 'Sets the session cookie. A link can be used once, within 15 minutes.',
    body: jsonContent('SignIn', EXAMPLES.signIn),
    responses: {
      200: response('The session.', jsonContent('Session', EXAMPLES.session), SESSION_HEADERS),
    },
    errors: ['invalid_request', 'insufficient_permissions'],
  },
  {
    ...sessionOperation,
    method: 'get',
    path: '/v1/console/session',
    id: 'getSession',
    summary: 'Get the current session',
    description:
      'The session of the request, with what the console needs to know about the service and the account.',
    responses: { 200: response('The session.', jsonContent('CurrentSession', EXAMPLES.current)) },
  },
  {
    ...sessionOperation,
    method: 'get',
    path: '/v1/console/sessions',
    id: 'listSessions',
    summary: 'List the sessions of the account',
    description: 'The open sessions of the account.',
    responses: { 200: response('The sessions.', jsonContent('SessionList', EXAMPLES.sessions)) },
  },
  {
    ...sessionOperation,
    method: 'delete',
    path: '/v1/console/sessions/{session_id}',
    id: 'endSession',
    summary: 'End a session',
    description:
      'Requests of the session are rejected within 60 seconds. `all` also ends unused sign-in links.',
    parameters: ['SessionId'],
    responses: { 200: response('The session has ended.', jsonContent('EndedSession', EXAMPLES.ended)) },
    errors: ['not_found'],
  },
  {
    ...sessionOperation,
    method: 'post',
    path: '/v1/console/links',
    id: 'createLink',
    summary: 'Create a sign-in link',
    description: 'Whoever opens the link first is signed in to the account.',
    responses: { 200: response('The link.', jsonContent('SignInLink', EXAMPLES.link)) },
  },
];

export const KEY_API: ApiPart = {
  operations: [...KEY_OPERATIONS, ...SESSION_OPERATIONS],
  schemas: SCHEMAS,
  parameters: PARAMETERS,
};
