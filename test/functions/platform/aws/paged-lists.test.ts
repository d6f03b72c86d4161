import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { accountAdministration } from '../../../../functions/billing/adapters/account-administration.ts';
import { dynamoKeyList } from '../../../../functions/identity/adapters/dynamo-keys.ts';
import { memberDirectory } from '../../../../functions/identity/adapters/dynamo-members.ts';
import { dynamoMemberList } from '../../../../functions/identity/adapters/dynamo-people.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { dynamoWebhookDescriptions } from '../../../../functions/webhooks/adapters/dynamo-webhook-endpoints.ts';
import { answeringDynamo } from '../../../support/answering-dynamo.ts';
import { recordingLogger } from '../../../support/loggers.ts';

type Logger = ReturnType<typeof recordingLogger>['logger'];

const table = 'items';
const audit = { write: () => assert.fail(), record: () => assert.fail() };
const byAccount = {
  KeyConditionExpression: 'account = :account',
  IndexName: 'by-account',
  ScanIndexForward: false,
  ExpressionAttributeValues: encode({ ':account': 'acme' }),
};
const withPrefix = (name: string, prefix: string) => ({
  KeyConditionExpression: `account = :account AND begins_with(id, ${name})`,
  ExpressionAttributeValues: encode({ ':account': 'acme', [name]: prefix }),
});
const byIndex = (IndexName: string, attribute: string, value: string) => ({
  IndexName,
  KeyConditionExpression: '#key = :value',
  ExpressionAttributeNames: { '#key': attribute },
  ExpressionAttributeValues: encode({ ':value': value }),
});

/** Each list and its query: all pages are read, and unreadable items are logged by their key. */
const LISTS: readonly (readonly [
  name: string,
  list: (client: DynamoDBClient, logger: Logger) => Promise<readonly unknown[]>,
  query: object,
  key: string,
])[] = [
  [
    'the webhook endpoints of an account',
    (client, logger) => dynamoWebhookDescriptions(client, table, logger).list('acme'),
    { ...withPrefix(':ids', 'we_'), ScanIndexForward: false, ConsistentRead: true },
    'acme/1',
  ],
  [
    'the people of an account',
    (client, logger) => dynamoMemberList(client, table, logger).list('acme'),
    { ...withPrefix(':prefix', 'user_'), ConsistentRead: true },
    'acme/1',
  ],
  [
    'the members of an account',
    (client, logger) => memberDirectory(client, table, logger).listByAccount('acme'),
    withPrefix(':prefix', 'user_'),
    'acme/1',
  ],
  [
    'the memberships of a person',
    (client, logger) => memberDirectory(client, table, logger).listByPerson('user_1'),
    byIndex('by-person', 'id', 'user_1'),
    'acme/1',
  ],
  [
    'the invitations for an address',
    (client, logger) => memberDirectory(client, table, logger).listInvitationsByEmail('a@example.com'),
    byIndex('by-email', 'invitedEmail', 'a@example.com'),
    'acme/1',
  ],
  [
    'the keys of an account',
    (client, logger) => dynamoKeyList(client, table, logger).listAccount('acme'),
    byAccount,
    'hash',
  ],
  ['all keys', (client, logger) => dynamoKeyList(client, table, logger).list(), {}, 'hash'],
  [
    'all accounts',
    (client, logger) => accountAdministration(client, table, logger, audit).list(0),
    {
      FilterExpression: 'NOT contains(account, :separator)',
      ExpressionAttributeValues: encode({ ':separator': '#' }),
    },
    'acme',
  ],
];

for (const [name, list, query, key] of LISTS)
  test(`${name} are read from all pages`, async (context) => {
    const { logger, errors } = recordingLogger();
    const last = encode({ id: '1' });
    const broken = encode({ account: 'acme', id: '1', hash: 'hash', monthlyBudget: false });
    const { client, inputs } = answeringDynamo(context, { Items: [broken], LastEvaluatedKey: last }, {});
    assert.deepEqual(await list(client, logger), []);
    assert.deepEqual(
      errors.map(({ event, fields }) => [event, fields]),
      [['item not readable', { table, key }]],
    );
    assert.deepEqual(inputs, [
      { TableName: table, ...query, ExclusiveStartKey: undefined },
      { TableName: table, ...query, ExclusiveStartKey: last },
    ]);
  });
