import { SIGNS_IN } from '../../platform/openapi/headers.ts';
import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { CONSOLE_EXAMPLES } from './console-examples.ts';

const common = { dialect: 'openAi', tag: 'Console' } as const;
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
    ...common,
    method: 'get',
    path: '/v1/console/session',
    id: 'getSession',
    summary: 'Describe the session that asks',
    answers: { 200: answer('The session.', jsonContent('CurrentSession', CONSOLE_EXAMPLES.current)) },
  },
  {
    ...common,
    method: 'get',
    path: '/v1/console/sessions',
    id: 'listSessions',
    summary: 'List the sessions of the account',
    answers: { 200: answer('The sessions.', jsonContent('SessionList', CONSOLE_EXAMPLES.sessions)) },
  },
  {
    ...common,
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
    ...common,
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
