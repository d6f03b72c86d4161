import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { EXISTING } from '../../../lib/evidence/configurations.ts';
import { findResources, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

const template = await templateWith(EXISTING);

const tableIds = (of: Template): string[] =>
  findResources(of, 'AWS::DynamoDB::Table')
    .map(([id]) => id)
    .filter((id) => /^Upstream/.test(id));

const oneOrMore = z.union([z.unknown().array(), z.unknown().transform((one) => [one])]);
const policySchema = z.object({
  PolicyDocument: z.object({
    Statement: z.array(z.looseObject({ Action: oneOrMore, Resource: oneOrMore })),
  }),
});

/** The actions on the table of the upstreams that the role of a function allows. */
const actionsOnTable = (role: RegExp): string[] => {
  const [table = assert.fail()] = tableIds(template);
  const owned = Object.entries(template.Resources).filter(([id]) => role.test(id));
  const inline = owned.flatMap(([, { Properties }]) =>
    [...(Array.isArray(Properties.Policies) ? Properties.Policies : []), Properties].flatMap((policy) => {
      const parsed = policySchema.safeParse(policy);
      return parsed.success ? parsed.data.PolicyDocument.Statement : [];
    }),
  );
  return inline
    .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${table}"`))
    .flatMap(({ Action }) => Action.map(String))
    .toSorted();
};

describe('the table of the upstreams', () => {
  test('exists only with the setting upstreams', async () => {
    assert.equal(tableIds(template).length, 1);
    assert.deepEqual(tableIds(await sharedTemplate()), []);
  });

  for (const [role, actions] of [
    [/^VideoWorker.*Role/, ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']],
    [/^GenerateContent.*Role/, ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']],
    [/^ChatCompletions.*Role/, ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']],
    [/^Sweeper.*Role/, ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem']],
    [/^DeadLetter.*Role/, ['dynamodb:UpdateItem']],
    [/^GetVideo.*Role/, []],
  ] as const)
    test(`allows ${role.source}: ${actions.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(actionsOnTable(role), actions);
    });
});

test('the environment of every function with ten upstreams has less than 4 KB', () => {
  /** More than a name or an ARN has that CloudFormation fills in. */
  const REFERENCE = 120;
  const sizes = findResources(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
    const { Variables = {} } = Object(Properties.Environment);
    const size = Object.entries(Variables).reduce(
      (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.length : REFERENCE),
      0,
    );
    return [id, size, 'UPSTREAMS' in Variables] as const;
  });
  assert.ok(sizes.some(([, , hasUpstreams]) => hasUpstreams));
  assert.deepEqual(
    sizes.filter(([, size]) => size >= 4096),
    [],
  );
});
