import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { sharedTemplate } from './synthesized-template.ts';

const statementSchema = z.looseObject({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.union([z.string(), z.string().array()]).default([]),
  Resource: z.unknown(),
});
const roleSchema = z.object({
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: statementSchema.array() }) })),
});

const { Resources } = await sharedTemplate();
const auditTable = Object.entries(Resources).filter(
  ([id, { Type }]) => Type === 'AWS::DynamoDB::Table' && id.startsWith('Audit'),
);

/** What each role may do with the audit table, by a statement that names the table or everything. */
const permissions = Object.entries(Resources).flatMap(([role, { Type, Properties }]) => {
  if (Type !== 'AWS::IAM::Role') return [];
  const { Policies = [] } = roleSchema.partial().parse(Properties);
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect, Resource }) => {
      const named = JSON.stringify(Resource);
      return Effect === 'Allow' && (named.includes(`"${auditTable[0]?.[0]}"`) || named.includes('"*"'));
    })
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith('dynamodb:') || action.startsWith('*'))
    .map((action) => ({ role, action }));
});

describe('the audit table', () => {
  test('allows functions to add and list entries, and nothing else', () => {
    assert.deepEqual([...new Set(permissions.map(({ action }) => action))].toSorted(), [
      'dynamodb:PutItem',
      'dynamodb:Query',
    ]);
  });

  test('can be read by one function, which cannot add entries', () => {
    const readers = permissions.filter(({ action }) => action === 'dynamodb:Query').map(({ role }) => role);
    assert.equal(readers.length, 1);
    assert.match(readers[0] ?? '', /^ListAuditLogs/);
    assert.deepEqual(
      permissions.filter(({ role }) => role === readers[0]).map(({ action }) => action),
      ['dynamodb:Query'],
    );
  });
});
