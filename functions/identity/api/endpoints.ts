import { readPageQuery } from '../../platform/api/pages.ts';
import type { Endpoint } from './endpoint.ts';
import { keyChangeSchema, newKeySchema, newServiceAccountKeySchema, readKeyQuery } from './key-object.ts';
import { newInvitationSchema, roleChangeSchema } from './people-object.ts';
import { newLinkSchema, switchSchema } from './session-object.ts';

export const listKeys = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/api_keys',
  summary: 'List API keys',
  role: 'viewer',
  key: 'admin',
  query: readKeyQuery,
} as const satisfies Endpoint;

export const createKey = {
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/api_keys',
  summary: 'Create an API key',
  role: 'member',
  key: 'admin',
  access: 'uncached',
  body: newKeySchema,
} as const satisfies Endpoint;

export const updateKey = {
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/api_keys/{key_id}',
  summary: 'Change an API key',
  role: 'member',
  key: 'admin',
  access: 'uncached',
  body: keyChangeSchema,
} as const satisfies Endpoint;

export const revokeKey = {
  method: 'DELETE',
  path: '/v1/organization/projects/{project_id}/api_keys/{key_id}',
  summary: 'Revoke an API key',
  role: 'member',
  key: 'admin',
} as const satisfies Endpoint;

export const createServiceAccountKey = {
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/service_accounts/{service_account_id}/api_keys',
  summary: 'Create an API key of a service account',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
  body: newServiceAccountKeySchema,
} as const satisfies Endpoint;

export const KEY_ENDPOINTS = { listKeys, createKey, updateKey, revokeKey, createServiceAccountKey };

export const listPeople = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/users',
  summary: 'List people',
  role: 'viewer',
  key: 'admin',
  query: readPageQuery,
} as const satisfies Endpoint;

export const getPerson = {
  method: 'GET',
  path: '/v1/organization/projects/{project_id}/users/{user_id}',
  summary: 'Get a person',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const changeRole = {
  method: 'POST',
  path: '/v1/organization/projects/{project_id}/users/{user_id}',
  summary: 'Change the role of a person',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
  body: roleChangeSchema,
} as const satisfies Endpoint;

export const removePerson = {
  method: 'DELETE',
  path: '/v1/organization/projects/{project_id}/users/{user_id}',
  summary: 'Remove a person',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
} as const satisfies Endpoint;

export const listInvitations = {
  method: 'GET',
  path: '/v1/organization/invites',
  summary: 'List invitations',
  role: 'admin',
  key: 'admin',
  query: readPageQuery,
} as const satisfies Endpoint;

export const createInvitation = {
  method: 'POST',
  path: '/v1/organization/invites',
  summary: 'Invite a person',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
  body: newInvitationSchema,
} as const satisfies Endpoint;

export const getInvitation = {
  method: 'GET',
  path: '/v1/organization/invites/{invite_id}',
  summary: 'Get an invitation',
  role: 'admin',
  key: 'admin',
} as const satisfies Endpoint;

export const deleteInvitation = {
  method: 'DELETE',
  path: '/v1/organization/invites/{invite_id}',
  summary: 'Delete an invitation',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
} as const satisfies Endpoint;

export const PEOPLE_ENDPOINTS = {
  listPeople,
  getPerson,
  changeRole,
  removePerson,
  listInvitations,
  createInvitation,
  getInvitation,
  deleteInvitation,
};

export const getSignIn = {
  method: 'GET',
  path: '/v1/console/sign_in',
  summary: 'Get the ways to sign in',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const startSignIn = {
  method: 'GET',
  path: '/v1/console/sign_in/start',
  summary: 'Sign in with the provider',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const completeSignIn = {
  method: 'GET',
  path: '/v1/console/sign_in/callback',
  summary: 'Complete a sign-in with the provider',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const createSession = {
  method: 'POST',
  path: '/v1/console/sessions',
  summary: 'Sign in with a link',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const renewSession = {
  method: 'POST',
  path: '/v1/console/session/renew',
  summary: 'Renew the current session',
  role: 'viewer',
  key: 'admin',
  access: 'overdue',
} as const satisfies Endpoint;

export const switchSession = {
  method: 'POST',
  path: '/v1/console/session/switch',
  summary: 'Switch to another account',
  role: 'viewer',
  key: 'admin',
  access: 'uncached',
  body: switchSchema,
} as const satisfies Endpoint;

export const listSessions = {
  method: 'GET',
  path: '/v1/console/sessions',
  summary: 'List the sessions of the account',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const endSession = {
  method: 'DELETE',
  path: '/v1/console/sessions/{session_id}',
  summary: 'End a session',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const createLink = {
  method: 'POST',
  path: '/v1/console/links',
  summary: 'Create a sign-in link',
  role: 'admin',
  key: 'admin',
  access: 'uncached',
  isBodyOptional: true,
  body: newLinkSchema,
} as const satisfies Endpoint;

export const SESSION_ENDPOINTS = {
  getSignIn,
  startSignIn,
  completeSignIn,
  createSession,
  renewSession,
  switchSession,
  listSessions,
  endSession,
  createLink,
};

export const listAuditLogs = {
  method: 'GET',
  path: '/v1/organization/audit_logs',
  summary: 'List the audit log',
  role: 'admin',
  key: 'admin',
} as const satisfies Endpoint;

export const AUDIT_ENDPOINTS = { listAuditLogs };
