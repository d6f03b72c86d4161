import { generateApiKey } from '../../platform/domain/api-key.ts';
import type { Session } from '../../platform/domain/session.ts';
import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { SIGNS_IN } from '../../platform/openapi/parameters.ts';
import { createdKey, deletedKey, keyList, serviceAccountKey } from './key-object.ts';
import {
  currentSessionObject,
  endedSession,
  linkObject,
  sessionList,
  sessionObject,
} from './session-object.ts';

/** Examples of the console's answers, built by what builds the answers. */

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const HOUR = 60 * 60 * 1000;
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

export const CONSOLE_EXAMPLES = {
  signIn: { link: { token: TOKEN } },
  session: { session: sessionObject(session) },
  current: {
    session: currentSessionObject(session, {
      baseUrl: BASE_URL,
      prices: { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} },
      videoRetentionDays: 7,
      sampleGenerator: false,
      limits: { monthlyBudget: '100', videosAtOnce: undefined, createsPerMinute: 60 },
    }),
  },
  sessions: { page: sessionList([session], session.id) },
  ended: { ended: endedSession(session.id) },
  link: { link: linkObject(BASE_URL, TOKEN, { linkUntil: CREATED_AT + HOUR / 4 }) },
  newKey: { key: { name: 'Render farm', expires_in_seconds: 2_592_000, monthly_budget: '20' } },
  keys: { page: keyList([key], false, CREATED_AT) },
  createdKey: { key: createdKey(key, VALUE) },
  serviceAccountKey: { key: serviceAccountKey(key, VALUE) },
  deletedKey: { deleted: deletedKey(key.id) },
} as const;

const keyOperation = { dialect: 'openAi', tag: 'Keys', errors: ['not_found'] } as const;
const PROJECT = '/v1/organization/projects/{project_id}';

export const KEY_OPERATIONS: readonly Operation[] = [
  {
    ...keyOperation,
    method: 'get',
    path: `${PROJECT}/api_keys`,
    id: 'listKeys',
    summary: 'List API keys',
    parameters: ['ProjectId', 'Limit', 'AfterKey', 'OwnerProjectAccess'],
    answers: { 200: answer('A page of keys.', jsonContent('KeyList', CONSOLE_EXAMPLES.keys)) },
  },
  {
    ...keyOperation,
    method: 'post',
    path: `${PROJECT}/api_keys`,
    id: 'createKey',
    summary: 'Create an API key',
    description: 'The value is shown this once.',
    parameters: ['ProjectId'],
    body: jsonContent('NewKey', CONSOLE_EXAMPLES.newKey),
    answers: { 200: answer('The key.', jsonContent('CreatedKey', CONSOLE_EXAMPLES.createdKey)) },
  },
  {
    ...keyOperation,
    method: 'delete',
    path: `${PROJECT}/api_keys/{key_id}`,
    id: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Within 60 seconds it is refused everywhere.',
    parameters: ['ProjectId', 'KeyId'],
    answers: { 200: answer('It is revoked.', jsonContent('DeletedKey', CONSOLE_EXAMPLES.deletedKey)) },
  },
  {
    ...keyOperation,
    method: 'post',
    path: `${PROJECT}/service_accounts/{service_account_id}/api_keys`,
    id: 'createServiceAccountKey',
    summary: 'Create an API key of a service account',
    description: 'As the SDK does it: each account has one service account, of the same name.',
    parameters: ['ProjectId', 'ServiceAccountId'],
    body: jsonContent('NewServiceAccountKey', CONSOLE_EXAMPLES.newKey),
    answers: {
      200: answer('The key.', jsonContent('ServiceAccountKey', CONSOLE_EXAMPLES.serviceAccountKey)),
    },
  },
];

const consoleOperation = { dialect: 'openAi', tag: 'Console' } as const;
const page = { tag: 'Console', method: 'get' } as const;
const PAGE = { 200: answer('HTML.', { 'text/html': { schema: { type: 'string' } } }) };

export const CONSOLE_OPERATIONS: readonly Operation[] = [
  {
    tag: 'Console',
    method: 'post',
    path: '/v1/console/sessions',
    id: 'createSession',
    summary: 'Sign in with a link',
    description: 'Answers with the session’s cookie. A link can be used once, within 15 minutes.',
    body: jsonContent('SignIn', CONSOLE_EXAMPLES.signIn),
    answers: {
      200: answer('The session.', jsonContent('Session', CONSOLE_EXAMPLES.session), SIGNS_IN),
    },
    errors: ['invalid_request', 'insufficient_permissions'],
  },
  {
    ...consoleOperation,
    method: 'get',
    path: '/v1/console/session',
    id: 'getSession',
    summary: 'Describe the session that asks',
    answers: { 200: answer('The session.', jsonContent('CurrentSession', CONSOLE_EXAMPLES.current)) },
  },
  {
    ...consoleOperation,
    method: 'get',
    path: '/v1/console/sessions',
    id: 'listSessions',
    summary: 'List the sessions of the account',
    answers: { 200: answer('The sessions.', jsonContent('SessionList', CONSOLE_EXAMPLES.sessions)) },
  },
  {
    ...consoleOperation,
    method: 'delete',
    path: '/v1/console/sessions/{session_id}',
    id: 'endSession',
    summary: 'End a session',
    description:
      'Within 60 seconds it is refused everywhere. `all` also ends the links that nobody has used.',
    parameters: ['SessionId'],
    answers: { 200: answer('It is ended.', jsonContent('EndedSession', CONSOLE_EXAMPLES.ended)) },
    errors: ['not_found'],
  },
  {
    ...consoleOperation,
    method: 'post',
    path: '/v1/console/links',
    id: 'createLink',
    summary: 'Make a sign-in link',
    description: 'For a colleague: whoever opens it first is signed in to the account.',
    answers: { 200: answer('The link.', jsonContent('SignInLink', CONSOLE_EXAMPLES.link)) },
  },
  {
    ...page,
    path: '/',
    id: 'getRoot',
    summary: 'Go to the console',
    answers: { 302: { description: 'Where the console is.' } },
  },
  { ...page, path: '/console', id: 'getConsole', summary: 'The console', answers: PAGE },
  {
    ...page,
    path: '/console/{path}',
    id: 'getConsolePage',
    summary: 'A page or a file of the console',
    parameters: ['ConsolePath'],
    answers: PAGE,
    errors: ['not_found'],
  },
];
