import { type ApiPart, jsonContent, jsonResponse, redirect } from '../../platform/openapi/operation.ts';
import { pathParameter, queryParameter, SESSION_HEADERS } from '../../platform/openapi/parameters.ts';
import type { Member } from '../domain/person.ts';
import { openSession, type Session } from '../domain/session.ts';
import { toOperations } from './declare-endpoint.ts';
import { SESSION_ENDPOINTS } from './endpoints.ts';
import * as objects from './session-object.ts';

const SCHEMAS = {
  SignIn: objects.signInSchema,
  SignInOptions: objects.signInOptionsSchema,
  Session: objects.sessionSchema,
  SessionList: objects.sessionListSchema,
  EndedSession: objects.endedSessionSchema,
  AccountSwitch: objects.switchSchema,
  NewSignInLink: objects.newLinkSchema,
  SignInLink: objects.linkSchema,
};

const PARAMETERS = {
  SessionId: pathParameter(
    'session_id',
    'A session id, `current` for the session of the request, or `all`.',
    /^(sess_[0-9a-f]{32}|current|all)$/,
  ),
  ReturnTo: queryParameter('return_to', 'The page of the console to show afterwards.', {
    pattern: '^/console(/|$)',
  }),
  InvitationToken: queryParameter('invitation', 'The token of an invitation to accept.'),
  ChooseIdentity: queryParameter('choose_identity', 'Whether the provider asks who wants to sign in.', {
    type: 'boolean',
  }),
  Code: queryParameter('code', 'From the provider.'),
  State: queryParameter('state', 'From the provider.'),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const QUARTER = 15 * 60 * 1000;
export const EXAMPLE_URL = 'https://api.example.com';
const TOKEN = `mgl_${'0'.repeat(43)}.example`;

export const EXAMPLE_MEMBER: Member = {
  account: 'example',
  id: `user_${'0'.repeat(32)}`,
  issuer: 'https://login.example.com',
  subject: 'ada',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  source: 'provider',
  addedAt: CREATED_AT,
};

export const EXAMPLE_SESSION: Session = {
  ...openSession(`sess_${'0'.repeat(32)}`, CREATED_AT).session,
  secretHash: '',
  account: EXAMPLE_MEMBER.account,
  role: EXAMPLE_MEMBER.role,
  personId: EXAMPLE_MEMBER.id,
  checkUntil: CREATED_AT + 4 * QUARTER,
};

const EXAMPLES = {
  signIn: { link: { token: TOKEN } },
  options: {
    provider: objects.signInObject({
      provider: { issuer: EXAMPLE_MEMBER.issuer, name: 'Example' },
      links: true,
    }),
  },
  session: { session: objects.sessionObject(EXAMPLE_SESSION) },
  sessions: { page: objects.sessionList([EXAMPLE_SESSION], [EXAMPLE_MEMBER], EXAMPLE_SESSION.id) },
  ended: { ended: objects.endedSession(EXAMPLE_SESSION.id, undefined) },
  accountSwitch: { account: { project_id: 'other' } },
  newLink: { person: { user_id: EXAMPLE_MEMBER.id } },
  link: { link: objects.linkObject(EXAMPLE_URL, TOKEN, { linkUntil: CREATED_AT + QUARTER }) },
} as const;

const OPERATIONS = toOperations(SESSION_ENDPOINTS, {
  getSignIn: {
    description: 'The OpenID Connect provider, and whether sign-in links can be used.',
    responses: jsonResponse('The ways to sign in.', 'SignInOptions', EXAMPLES.options),
  },
  startSignIn: {
    description:
      'For the browser: leads to the provider, and sets a cookie that binds the sign-in to this browser.',
    parameters: ['ReturnTo', 'InvitationToken', 'ChooseIdentity'],
    responses: redirect('The address of the provider.'),
    errors: ['invalid_request', 'not_found'],
  },
  completeSignIn: {
    description:
      'For the browser: the provider leads here. Sets the session cookie and leads to the console, or to its sign-in page with `error`.',
    parameters: ['Code', 'State'],
    responses: redirect('The console.'),
    errors: ['not_found', 'concurrent_update', 'overloaded'],
  },
  createSession: {
    description:
      'Sets the session cookie. A link can be used once, within 15 minutes; an invitation once, within 7 days.',
    body: jsonContent('SignIn', EXAMPLES.signIn),
    responses: jsonResponse('The session.', 'Session', EXAMPLES.session, SESSION_HEADERS),
    errors: ['invalid_request', 'insufficient_permissions'],
  },
  renewSession: {
    description:
      'Starts the idle time again. Once an hour the provider confirms the person; without a refresh token the answer is 401 `session_renewal_required`, and the person signs in again.',
    responses: jsonResponse('The session.', 'Session', EXAMPLES.session),
    errors: ['request_in_progress'],
  },
  switchSession: {
    description: 'Opens a session in another account of the person, in place of the current one.',
    body: jsonContent('AccountSwitch', EXAMPLES.accountSwitch),
    responses: jsonResponse('The new session.', 'Session', EXAMPLES.session, SESSION_HEADERS),
    errors: ['not_found'],
  },
  listSessions: {
    description: 'The open sessions: all of the account for admins, their own for others.',
    responses: jsonResponse('The sessions.', 'SessionList', EXAMPLES.sessions),
  },
  endSession: {
    description:
      'Requests of the session are rejected within 60 seconds. `all`, for admins, also ends unused sign-in links.',
    responses: jsonResponse('The session has ended.', 'EndedSession', EXAMPLES.ended),
  },
  createLink: {
    description: 'Whoever opens the link first is signed in to the account.',
    body: jsonContent('NewSignInLink', EXAMPLES.newLink),
    responses: jsonResponse('The link.', 'SignInLink', EXAMPLES.link),
    errors: ['not_found'],
  },
});

export const SESSION_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
