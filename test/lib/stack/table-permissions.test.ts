import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { EXISTING } from '../../../lib/evidence/configurations.ts';
import { findResources, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

const oneOrMore = z.union([z.string().array(), z.string().transform((one) => [one])]);
const roleSchema = z.looseObject({
  Policies: z
    .array(
      z.object({
        PolicyDocument: z.object({
          Statement: z.array(z.looseObject({ Effect: z.string(), Action: oneOrMore, Resource: z.unknown() })),
        }),
      }),
    )
    .default([]),
});

const tableIds = (template: Template, prefix: string): string[] =>
  findResources(template, 'AWS::DynamoDB::Table').flatMap(([id]) => (id.startsWith(prefix) ? [id] : []));

/** What each role may do with a table, by a statement that names the table or everything. */
const permissionsOn = (template: Template, prefix: string): Map<string, string[]> => {
  const [table = assert.fail(`no table ${prefix}`), ...others] = tableIds(template, prefix);
  assert.deepEqual(others, []);
  const isNamed = (resource: unknown) =>
    /"\*"/.test(JSON.stringify(resource)) || JSON.stringify(resource).includes(`"${table}"`);
  const roles = findResources(template, 'AWS::IAM::Role').map(([id, { Properties }]) => {
    const statements = roleSchema.parse(Properties).Policies.flatMap((each) => each.PolicyDocument.Statement);
    const allowed = statements.filter(({ Effect, Resource }) => Effect === 'Allow' && isNamed(Resource));
    const actions = allowed
      .flatMap(({ Action }) => Action)
      .filter((action) => /^(dynamodb:|\*)/.test(action));
    return [id.replace(/Role[0-9A-F]{8}$/, ''), actions.toSorted()] as const;
  });
  return new Map(roles.filter(([, actions]) => actions.length > 0));
};

test('functions add entries to the audit table, and one function lists them', async () => {
  const permissions = permissionsOn(await sharedTemplate(), 'Audit');
  assert.deepEqual(permissions.get('ListAuditLogs'), ['dynamodb:Query']);
  permissions.delete('ListAuditLogs');
  assert.deepEqual([...new Set([...permissions.values()].flat())], ['dynamodb:PutItem']);
});

describe('the table of the upstreams', () => {
  test('exists only with the setting upstreams', async () => {
    assert.deepEqual(tableIds(await sharedTemplate(), 'Upstream'), []);
  });

  test('can be read and changed by functions that call upstreams, and changed by those that end tasks', async () => {
    const permissions = permissionsOn(await templateWith(EXISTING), 'Upstream');
    const serve = ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'];
    assert.deepEqual(Object.fromEntries(permissions), {
      ChatCompletions: serve,
      CreateResponse: serve,
      DeadLetter: ['dynamodb:UpdateItem'],
      EditImages: serve,
      GenerateContent: serve,
      GenerateImages: serve,
      Mcp: serve,
      RunModelAction: serve,
      Sweeper: serve,
      VideoWorker: serve,
    });
  });
});
