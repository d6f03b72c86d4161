import * as z from 'zod';
import { SUPPORTED_TYPES } from './resource-types.ts';
import type { Resource } from './schema.ts';
import type { Stack } from './stack.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const statementSchema = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore.default([]),
  Resource: z.unknown(),
  Condition: z.unknown().optional(),
});
const documentSchema = z.object({
  Statement: z.union([statementSchema.transform((one) => [one]), z.array(statementSchema)]),
});
const functionSchema = z.object({ Role: z.string().default('') });
const rolesSchema = z.object({ Roles: z.array(z.string()).default([]) });
const inlineSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: z.unknown() })).default([]) });

type Policy = {
  readonly roles: readonly string[];
  readonly statements: readonly {
    readonly effect: 'Allow' | 'Deny';
    readonly resources: readonly string[];
  }[];
};

/**
 * The buckets that each function may not list, by the function's logical id. S3 tells such a caller nothing of what
 * is missing. A statement with a condition does not count: a read has no `s3:prefix` that could meet it.
 */
export const unlistedBuckets = (stack: Stack): Readonly<Record<string, readonly string[]>> => {
  const policies = [...attachedPolicies(stack), ...inlinePolicies(stack)];
  const buckets = stack.resources(SUPPORTED_TYPES.bucket).map(({ logicalId }) => stack.identity(logicalId));
  const entries = stack.resources(SUPPORTED_TYPES.function).map((resource) => {
    const { Role } = stack.properties(resource, functionSchema);
    const statements = policies
      .filter(({ roles }) => roles.some((name) => Role.endsWith(`/${name}`)))
      .flatMap((policy) => policy.statements);
    const unlisted = buckets.filter(({ attributes }) => !mayList(statements, attributes.Arn ?? ''));
    return [resource.logicalId, unlisted.map(({ ref }) => ref)] as const;
  });
  return Object.fromEntries(entries);
};

const attachedPolicies = (stack: Stack): Policy[] =>
  ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    stack.resources(type).map((resource) => ({
      roles: stack.properties(resource, rolesSchema).Roles,
      statements: readStatements(stack, resource, resource.Properties.PolicyDocument),
    })),
  );

const inlinePolicies = (stack: Stack): Policy[] =>
  stack.resources('AWS::IAM::Role').flatMap((role) =>
    inlineSchema.parse(role.Properties).Policies.map(({ PolicyDocument }) => ({
      roles: [stack.identity(role.logicalId).ref],
      statements: readStatements(stack, role, PolicyDocument),
    })),
  );

/** Only what is said of listing is resolved: other statements may name what has no local value. */
const readStatements = (stack: Stack, { logicalId }: Resource, document: unknown): Policy['statements'] =>
  documentSchema
    .parse(document)
    .Statement.filter(
      ({ Action, Condition }) =>
        Condition === undefined && Action.some((pattern) => matches(pattern, 's3:ListBucket')),
    )
    .map((statement) => ({
      effect: statement.Effect,
      resources: oneOrMore.parse(stack.resolve(statement.Resource, `${logicalId}.PolicyDocument`)),
    }));

const mayList = (statements: Policy['statements'], bucketArn: string): boolean => {
  const effects = statements
    .filter(({ resources }) => resources.some((pattern) => matches(pattern, bucketArn)))
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const matches = (pattern: string, text: string): boolean => {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 'i').test(text);
};
