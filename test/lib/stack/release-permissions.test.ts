import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRelease } from '../../releases/previous-release.ts';
import { functionPermissions, lostPermissions } from '../../releases/release-permissions.ts';
import { findResources, sharedTemplate } from './synthesized-template.ts';

const template = await sharedTemplate();

const { functions } = await readRelease();

/** During a gradual deployment, versions of both releases have the role of this one. */
describe('each gradually deployed function keeps the permissions of the previous release:', () => {
  // A function that a release removes has no version that could need its role.
  for (const [id, { permissions }] of Object.entries(functions).filter(([id]) => id in template.Resources))
    test(id.slice(0, -8), () =>
      assert.deepEqual(lostPermissions(permissions, functionPermissions(template, id)), []),
    );
});

describe('the permissions of a release', () => {
  const statement = (Effect: string, Action: unknown, Resource: unknown, Condition?: object) => ({
    Effect,
    Action,
    Resource,
    ...(Condition === undefined ? {} : { Condition }),
  });
  const permissionsWith = (...Statement: object[]): string[] =>
    functionPermissions(
      {
        Resources: {
          Worker: { Properties: { Role: { 'Fn::GetAtt': ['WorkerRole', 'Arn'] } } },
          WorkerRole: { Properties: { Policies: [{ PolicyDocument: { Statement } }] } },
        },
      },
      'Worker',
    );
  const TABLE = { 'Fn::GetAtt': ['Tasks', 'Arn'] };
  const ITEMS = ['dynamodb:GetItem', 'dynamodb:PutItem'];
  const previous = permissionsWith(statement('Allow', ITEMS, TABLE));

  test('are compared by action and resource, not by statement', () => {
    const split = permissionsWith(...ITEMS.map((action) => statement('Allow', action, [TABLE])));
    assert.deepEqual(lostPermissions(previous, split), []);
  });

  test('may grow', () => {
    const more = permissionsWith(statement('Allow', [...ITEMS, 'dynamodb:Query'], TABLE));
    assert.deepEqual(lostPermissions(previous, more), []);
  });

  const LOSSES: readonly (readonly [change: string, ...object[]])[] = [
    ['an action is removed', statement('Allow', ['dynamodb:GetItem'], TABLE)],
    ['the resource is another one', statement('Allow', ITEMS, { 'Fn::GetAtt': ['Others', 'Arn'] })],
    ['a condition is added', statement('Allow', ITEMS, TABLE, { Bool: { 'aws:SecureTransport': 'true' } })],
    ['a Deny is added', statement('Allow', ITEMS, TABLE), statement('Deny', 'dynamodb:PutItem', TABLE)],
  ];
  for (const [change, ...statements] of LOSSES)
    test(`are lost if ${change}`, () =>
      assert.notDeepEqual(lostPermissions(previous, permissionsWith(...statements)), []));

  test('are recorded for every function that is deployed gradually', () => {
    for (const [, { Properties }] of findResources(template, 'AWS::Lambda::Alias'))
      assert.ok(functionPermissions(template, Object(Properties.FunctionName).Ref).length > 10);
  });
});
