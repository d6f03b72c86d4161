import { pageObject } from '../../platform/api/pages.ts';
import { HOUR } from '../../platform/domain/durations.ts';
import { type ApiPart, jsonContent, jsonResponse } from '../../platform/openapi/operation.ts';
import { afterParameter, pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import { generateApiKey } from '../domain/api-key.ts';
import { toOperations } from './declare-endpoint.ts';
import { KEY_ENDPOINTS } from './endpoints.ts';
import * as objects from './key-object.ts';

const SCHEMAS = {
  NewKey: objects.newKeySchema,
  NewServiceAccountKey: objects.newServiceAccountKeySchema,
  KeyChange: objects.keyChangeSchema,
  Key: objects.keySchema,
  KeyList: objects.keyListSchema,
  CreatedKey: objects.createdKeySchema,
  ServiceAccountKey: objects.serviceAccountKeySchema,
  DeletedKey: objects.deletedKeySchema,
};

const PARAMETERS = {
  ProjectId: pathParameter('project_id', 'The name of the account.'),
  ServiceAccountId: pathParameter(
    'service_account_id',
    'The name of the account again: each account has one service account.',
  ),
  KeyId: pathParameter('key_id', 'Identifier of the key.'),
  AfterKey: afterParameter('keys'),
  OwnerProjectAccess: queryParameter('owner_project_access', 'Only active keys, or only inactive keys.', {
    enum: objects.ACCESSES,
    default: 'any',
  }),
  OwnerId: queryParameter('owner_id', 'Only keys of this person, or of the account itself by its name.'),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const key = {
  ...generateApiKey('example', 'Render farm', CREATED_AT, { monthlyBudget: '20' }).stored,
  id: 'key_0123456789abcdef',
  lastFour: 'wxyz',
};
const known = { key, lastCharge: CREATED_AT + HOUR };
const VALUE = 'mgk_…';

const EXAMPLES = {
  newKey: { key: { name: 'Render farm', expires_in_seconds: 2_592_000, monthly_budget: '20' } },
  keyChange: { change: { name: 'Render farm 2', expires_in_seconds: null, monthly_budget: '50' } },
  key: { key: objects.keyObject(known, CREATED_AT) },
  keys: {
    page: pageObject({ items: [known], hasMore: false }, (each) => objects.keyObject(each, CREATED_AT)),
  },
  createdKey: { key: objects.createdKey(key, VALUE) },
  serviceAccountKey: { key: objects.serviceAccountKey(key, VALUE) },
  deletedKey: { deleted: objects.deletedKey(key.id) },
} as const;

const OPERATIONS = toOperations(KEY_ENDPOINTS, {
  listKeys: {
    description: 'The keys of the account and of its people, newest first, without their values.',
    parameters: ['Limit', 'AfterKey', 'OwnerProjectAccess', 'OwnerId'],
    responses: jsonResponse('A page of keys.', 'KeyList', EXAMPLES.keys),
  },
  createKey: {
    description:
      'The value is returned only once. The key belongs to the person who is signed in, otherwise to the account.',
    body: jsonContent('NewKey', EXAMPLES.newKey),
    responses: jsonResponse('The key.', 'CreatedKey', EXAMPLES.createdKey),
  },
  updateKey: {
    description: 'Changes its name, expiry or budget, within 60 seconds. The key itself stays the same.',
    body: jsonContent('KeyChange', EXAMPLES.keyChange),
    responses: jsonResponse('The changed key.', 'Key', EXAMPLES.key),
  },
  revokeKey: {
    description: 'Requests with the key are rejected within 60 seconds.',
    responses: jsonResponse('The key is revoked.', 'DeletedKey', EXAMPLES.deletedKey),
  },
  createServiceAccountKey: {
    description: 'For the SDK. Each account has one service account, with the same name.',
    body: jsonContent('NewServiceAccountKey', EXAMPLES.newKey),
    responses: jsonResponse('The key.', 'ServiceAccountKey', EXAMPLES.serviceAccountKey),
  },
});

export const KEY_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
