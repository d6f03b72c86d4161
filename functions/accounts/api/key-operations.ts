import { answer, jsonContent, type Operation } from '../../platform/openapi/operation.ts';
import { CONSOLE_EXAMPLES } from './console-examples.ts';

const common = { dialect: 'openAi', tag: 'Keys', errors: ['not_found'] } as const;
const PROJECT = '/v1/organization/projects/{project_id}';

export const KEY_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'get',
    path: `${PROJECT}/api_keys`,
    id: 'listKeys',
    summary: 'List API keys',
    parameters: ['ProjectId', 'Limit', 'AfterKey', 'OwnerProjectAccess'],
    answers: { 200: answer('A page of keys.', jsonContent('KeyList', CONSOLE_EXAMPLES.keys)) },
  },
  {
    ...common,
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
    ...common,
    method: 'delete',
    path: `${PROJECT}/api_keys/{key_id}`,
    id: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Within 60 seconds it is refused everywhere.',
    parameters: ['ProjectId', 'KeyId'],
    answers: { 200: answer('It is revoked.', jsonContent('DeletedKey', CONSOLE_EXAMPLES.deletedKey)) },
  },
  {
    ...common,
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
