import { readPageQuery } from '../../platform/api/pages.ts';
import { DELETE, declareFor, GET, POST, PROJECT } from './declare-endpoint.ts';
import { keyChangeSchema, newKeySchema, newServiceAccountKeySchema, readKeyQuery } from './key-object.ts';
import { newInvitationSchema, roleChangeSchema } from './people-object.ts';
import { newLinkSchema, switchSchema } from './session-object.ts';

export const KEY_ENDPOINTS = {
  listKeys: GET(`${PROJECT}/api_keys`, 'List API keys', 'viewer', { query: readKeyQuery }),
  createKey: POST(`${PROJECT}/api_keys`, 'Create an API key', 'member', {
    access: 'uncached',
    body: newKeySchema,
  }),
  updateKey: POST(`${PROJECT}/api_keys/{key_id}`, 'Change an API key', 'member', {
    access: 'uncached',
    body: keyChangeSchema,
  }),
  revokeKey: DELETE(`${PROJECT}/api_keys/{key_id}`, 'Revoke an API key', 'member'),
  createServiceAccountKey: POST(
    `${PROJECT}/service_accounts/{service_account_id}/api_keys`,
    'Create an API key of a service account',
    'admin',
    { access: 'uncached', body: newServiceAccountKeySchema },
  ),
};

const people = declareFor('people');

export const PEOPLE_ENDPOINTS = {
  listPeople: people.GET(`${PROJECT}/users`, 'List people', 'viewer', { query: readPageQuery }),
  getPerson: people.GET(`${PROJECT}/users/{user_id}`, 'Get a person', 'viewer'),
  changeRole: people.POST(`${PROJECT}/users/{user_id}`, 'Change the role of a person', 'admin', {
    access: 'uncached',
    body: roleChangeSchema,
  }),
  removePerson: people.DELETE(`${PROJECT}/users/{user_id}`, 'Remove a person', 'admin', {
    access: 'uncached',
  }),
  listInvitations: people.GET('/v1/organization/invites', 'List invitations', 'admin', {
    query: readPageQuery,
  }),
  createInvitation: people.POST('/v1/organization/invites', 'Invite a person', 'admin', {
    access: 'uncached',
    body: newInvitationSchema,
  }),
  getInvitation: people.GET('/v1/organization/invites/{invite_id}', 'Get an invitation', 'admin'),
  deleteInvitation: people.DELETE('/v1/organization/invites/{invite_id}', 'Delete an invitation', 'admin', {
    access: 'uncached',
  }),
};

export const SESSION_ENDPOINTS = {
  getSignIn: GET('/v1/console/sign_in', 'Get the ways to sign in', 'public'),
  startSignIn: people.GET('/v1/console/sign_in/start', 'Sign in with the provider', 'public'),
  completeSignIn: people.GET(
    '/v1/console/sign_in/callback',
    'Complete a sign-in with the provider',
    'public',
  ),
  createSession: POST('/v1/console/sessions', 'Sign in with a link', 'public'),
  renewSession: POST('/v1/console/session/renew', 'Renew the current session', 'viewer', {
    access: 'overdue',
  }),
  switchSession: people.POST('/v1/console/session/switch', 'Switch to another account', 'viewer', {
    access: 'uncached',
    body: switchSchema,
  }),
  listSessions: GET('/v1/console/sessions', 'List the sessions of the account', 'viewer'),
  endSession: DELETE('/v1/console/sessions/{session_id}', 'End a session', 'viewer'),
  createLink: POST('/v1/console/links', 'Create a sign-in link', 'admin', {
    access: 'uncached',
    isBodyOptional: true,
    body: newLinkSchema,
  }),
};

export const AUDIT_ENDPOINTS = {
  listAuditLogs: GET('/v1/organization/audit_logs', 'List the audit log', 'admin'),
};
