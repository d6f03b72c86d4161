import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { sharedTemplate } from './synthesized-template.ts';

const oneOrMore = z.union([z.unknown().array(), z.unknown().transform((one) => [one])]);
const statementSchema = z.looseObject({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore.default([]),
  Resource: oneOrMore.default([]),
});
const documentSchema = z.object({ Statement: statementSchema.array() });

type Statement = z.infer<typeof statementSchema> & { readonly owner: string };

/** Every policy document of the template, wherever it stands. */
const statementsIn = (owner: string, value: unknown): Statement[] => {
  if (typeof value !== 'object' || value === null) return [];
  const document = documentSchema.safeParse(value);
  if (document.success) return document.data.Statement.map((statement) => ({ ...statement, owner }));
  return Object.values(value).flatMap((inner) => statementsIn(owner, inner));
};

const statements = Object.entries((await sharedTemplate()).Resources).flatMap(([id, { Properties }]) =>
  statementsIn(id.replace(/[0-9A-F]{8}$/, ''), Properties),
);
const allowed = statements.filter(({ Effect }) => Effect === 'Allow');

const toText = (resource: unknown): string =>
  typeof resource === 'string' ? resource : JSON.stringify(resource);

/** An exception and the reason for it. */
type Exception = {
  readonly why: string;
  readonly owner: RegExp;
  readonly action: RegExp;
  readonly resource: RegExp;
};

const KEY_OWNER = {
  why: 'The account owns its key; without this nobody could ever change or delete it.',
  owner: /^OperationsAlarmsKey$/,
  action: /^kms:\*$/,
  resource: /^\*$/,
};

const RESOURCE_EXCEPTIONS: readonly Exception[] = [
  KEY_OWNER,
  {
    why: 'The API invokes the functions of its own stack.',
    owner: /^ApiRoutesInvokeRole$/,
    action: /^lambda:InvokeFunction$/,
    resource: /:function:",\{"Ref":"AWS::StackName"\},"-\*"/,
  },
  {
    why: 'In the policy of a key, * is the key itself.',
    owner: /^OperationsAlarmsKey$/,
    action: /^kms:(Decrypt|GenerateDataKey)$/,
    resource: /^\*$/,
  },
  {
    why: 'Objects have names that are made at run time; the grant is for one prefix of one bucket.',
    owner: /Role$/,
    action: /^s3:(Get|Put|Delete)Object$|^s3:(Put|Delete)ObjectTagging$|^s3:AbortMultipartUpload$/,
    resource: /MediaBucket.+"\/(inputs|videos|previews|(removed-)?files|uploads)\/\*"/,
  },
];

const pairs = allowed.flatMap(({ owner, Action, Resource }) =>
  Action.flatMap((action) =>
    Resource.map((resource) => ({ owner, action: toText(action), resource: toText(resource) })),
  ),
);

const isExcepted = (exceptions: readonly Exception[], pair: (typeof pairs)[number]): boolean =>
  exceptions.some(
    ({ owner, action, resource }) =>
      owner.test(pair.owner) && action.test(pair.action) && resource.test(pair.resource),
  );

describe('the IAM policies of the template', () => {
  test('name every action', () => {
    const wild = pairs.filter(({ action }) => action.includes('*'));
    const unexpected = wild.filter((pair) => !isExcepted([KEY_OWNER], pair));
    assert.deepEqual(unexpected, []);
  });

  test('name every resource, except for those with a reason', () => {
    const wild = pairs.filter(({ resource }) => resource.includes('*'));
    const unexpected = wild.filter((pair) => !isExcepted(RESOURCE_EXCEPTIONS, pair));
    assert.deepEqual(unexpected, []);
  });

  for (const exception of RESOURCE_EXCEPTIONS)
    test(`still needs the exception: ${exception.why}`, () =>
      assert.ok(pairs.some((pair) => isExcepted([exception], pair))));

  test('allow no anonymous principal', () => {
    const open = allowed.filter(
      ({ Principal }) => Principal === '*' || toText(Principal ?? {}).includes('"*"'),
    );
    assert.deepEqual(open, []);
  });

  describe('allow listing the bucket', () => {
    const listing = allowed.filter(({ Action }) => Action.includes('s3:ListBucket'));
    const listed = (operator: string) =>
      listing.flatMap(({ owner, Condition }) =>
        oneOrMore
          .parse(Object(Condition)[operator]?.['s3:prefix'] ?? [])
          .map((prefix) => `${owner} ${prefix}`),
      );

    test('only by prefix', () => {
      for (const { owner, Condition } of listing)
        assert.match(JSON.stringify(Condition), /^{"String(Equals|Like)":{"s3:prefix":[^{]*}}$/, owner);
    });

    test('for leftover inputs', () => {
      assert.deepEqual(listed('StringEquals'), ['RemoveLeftoversRole inputs/']);
    });

    test('where a function reads objects that may be missing, but not where it signs URLs', () => {
      const read = pairs
        .filter(({ action }) => action === 's3:GetObject')
        .map(({ owner, resource }) => `${owner} ${/[a-z-]+\/\*/.exec(resource)?.[0]}`);
      const onlySigned = read.filter((each) => !listed('StringLike').includes(each));
      assert.deepEqual([...new Set(onlySigned)].toSorted(), [
        'DownloadVideoRole videos/*',
        'GetFileRole videos/*',
        'GetShareRole files/*',
        'GetShareRole videos/*',
        'GetVideoInputRole files/*',
        'GetVideoInputRole inputs/*',
        'GetVideoRole videos/*',
        'McpRole videos/*',
      ]);
      const foreign = listed('StringLike').filter((each) => !read.includes(each));
      assert.deepEqual(foreign, []);
    });
  });

  test('is read at all', () => assert.ok(pairs.length > 60));
});
