import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, NEEDED_ROLES } from '../../../console/session/permissions.ts';
import { ENDPOINTS } from '../../../functions/openapi/api/endpoints.ts';

const PROJECT = '/v1/organization/projects/{project_id}';

/** The routes that the console calls for each kind of action. */
const ROUTES: Readonly<Record<Action, readonly string[]>> = {
  create: [
    'POST /v1/videos',
    'POST /v1/videos/{task_id}/cancel',
    'POST /v1/chat/completions',
    'POST /v1/files',
  ],
  delete: ['DELETE /v1/videos/{task_id}', 'DELETE /v1/files/{file_id}'],
  share: ['POST /v1/shares', 'DELETE /v1/shares/{share_id}'],
  keep: [
    'POST /v1/library/{item_id}',
    'POST /v1/collections',
    'POST /v1/collections/{collection_id}',
    'DELETE /v1/collections/{collection_id}',
  ],
  storage: [`POST ${PROJECT}/storage_limit`],
  ownKeys: [
    `POST ${PROJECT}/api_keys`,
    `POST ${PROJECT}/api_keys/{key_id}`,
    `DELETE ${PROJECT}/api_keys/{key_id}`,
  ],
  allKeys: [],
  webhooks: [
    'POST /v1/webhook_endpoints',
    'POST /v1/webhook_endpoints/{webhook_endpoint_id}',
    'DELETE /v1/webhook_endpoints/{webhook_endpoint_id}',
    'POST /v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
    'POST /v1/webhook_endpoints/{webhook_endpoint_id}/test',
    'POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend',
  ],
  people: [
    `POST ${PROJECT}/users/{user_id}`,
    `DELETE ${PROJECT}/users/{user_id}`,
    'GET /v1/organization/invites',
    'POST /v1/organization/invites',
    'DELETE /v1/organization/invites/{invite_id}',
  ],
  audit: ['GET /v1/organization/audit_logs'],
  links: ['POST /v1/console/links'],
};

for (const [action, routes] of Object.entries(ROUTES))
  for (const route of routes)
    test(`the console and the API require the same role to ${action} with ${route}`, () => {
      assert.equal(
        Object.entries(NEEDED_ROLES).find(([name]) => name === action)?.[1],
        Object.values(ENDPOINTS).find(({ method, path }) => `${method} ${path}` === route)?.role,
      );
    });
