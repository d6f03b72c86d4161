import * as z from 'zod';
import { SUPPORTED_TYPES } from './resource-types.ts';
import type { Stack } from './stack.ts';
import type { Resource } from './template.ts';

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
const trustSchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.literal('Allow'),
      Action: z.literal('sts:AssumeRole'),
      Principal: z.object({ Service: oneOrMore }),
    }),
  ),
});
const functionSchema = z.object({ Role: z.string().default('') });
const rolesSchema = z.object({ Roles: z.array(z.string()).default([]) });
const inlineSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: z.unknown() })).default([]) });

type Statement = {
  readonly roles: readonly string[];
  readonly effect: 'Allow' | 'Deny';
  readonly covers: (resourceArn: string) => boolean;
  readonly condition: unknown;
};

const prefixSchema = z.strictObject({ 's3:prefix': oneOrMore });
const prefixConditionSchema = z.union([
  z.strictObject({ StringLike: prefixSchema }).transform(({ StringLike }) => StringLike['s3:prefix']),
  // `*` has no special meaning here.
  z
    .strictObject({ StringEquals: prefixSchema })
    .transform(({ StringEquals }) => StringEquals['s3:prefix'].filter((prefix) => !prefix.includes('*'))),
]);

/** The prefixes that a statement covers, as patterns; none for a condition on anything else. */
const listedPrefixes = ({ condition }: Statement): readonly string[] =>
  condition === undefined ? ['*'] : (prefixConditionSchema.safeParse(condition).data ?? []);

/** Patterns of the prefixes that each function may list, by its logical id and the name of the bucket. */
export type ListablePrefixes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const listablePrefixes = (stack: Stack): ListablePrefixes => {
  const statements = statementsAbout(stack, 's3:ListBucket');
  const buckets = stack.resources(SUPPORTED_TYPES.bucket).map(({ logicalId }) => stack.identity(logicalId));
  const entries = stack.resources(SUPPORTED_TYPES.function).map((resource) => {
    const { Role } = stack.properties(resource, functionSchema);
    const listable = buckets.map(({ ref, attributes }) => {
      const about = applicable(statements, Role, attributes.Arn ?? '');
      const isDenied = about.some(({ effect }) => effect === 'Deny');
      return [ref, isDenied ? [] : about.flatMap(listedPrefixes)] as const;
    });
    return [resource.logicalId, Object.fromEntries(listable)] as const;
  });
  return Object.fromEntries(entries);
};

/**
 * Whether a principal may list a prefix. For a read of a missing object, S3 asks this with its key as the prefix, and
 * answers 403 instead of 404 if it may not.
 */
export const mayList =
  (listable: ListablePrefixes) =>
  (principal: string, bucket: string, prefix: string): boolean => {
    const buckets = listable[principal];
    // Operators have no role in the template.
    if (buckets === undefined) return true;
    return (buckets[bucket] ?? []).some((pattern) => matches(pattern, prefix, 's'));
  };

/** Checks whether a role that a service assumes may invoke a function. */
export const createInvokeCheck = (stack: Stack, service: string) => {
  const statements = statementsAbout(stack, 'lambda:InvokeFunction');
  const assumable = new Set(
    stack
      .resources('AWS::IAM::Role')
      .filter((role) => mayAssume(stack, role, service))
      .map(({ logicalId }) => stack.identity(logicalId).attributes.Arn),
  );
  return (roleArn: string, functionArn: string): boolean =>
    assumable.has(roleArn) && isAllowed(statements, roleArn, functionArn);
};

const mayAssume = (stack: Stack, { logicalId, Properties }: Resource, service: string): boolean => {
  const { success, data } = trustSchema.safeParse(
    stack.resolve(Properties.AssumeRolePolicyDocument, `${logicalId}.AssumeRolePolicyDocument`),
  );
  return success && data.Statement.some(({ Principal }) => Principal.Service.includes(service));
};

/** Resolves only statements for the action, because others may name resources without a local value. */
const statementsAbout = (stack: Stack, action: string): Statement[] => {
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap((type) =>
    stack.resources(type).map((resource) => {
      const { Roles: roles } = stack.properties(resource, rolesSchema);
      return { resource, roles, document: resource.Properties.PolicyDocument };
    }),
  );
  const inline = stack.resources('AWS::IAM::Role').flatMap((resource) =>
    inlineSchema.parse(resource.Properties).Policies.map(({ PolicyDocument: document }) => {
      return { resource, roles: [stack.identity(resource.logicalId).ref], document };
    }),
  );
  return [...attached, ...inline].flatMap(({ resource: { logicalId }, roles, document }) =>
    documentSchema
      .parse(document)
      .Statement.filter(({ Action }) => Action.some((pattern) => matches(pattern, action)))
      .map(({ Effect: effect, Resource, Condition: condition }) => {
        const arns = oneOrMore.parse(stack.resolve(Resource, `${logicalId}.PolicyDocument`));
        return { roles, effect, condition, covers: matchesAny(arns) };
      }),
  );
};

const applicable = (statements: readonly Statement[], roleArn: string, resourceArn: string): Statement[] =>
  statements
    .filter(({ roles }) => roles.some((name) => roleArn.endsWith(`/${name}`)))
    .filter(({ covers }) => covers(resourceArn));

const isAllowed = (statements: readonly Statement[], roleArn: string, resourceArn: string): boolean => {
  const effects = applicable(statements, roleArn, resourceArn)
    .filter(({ condition }) => condition === undefined)
    .map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `*` matches any text. The ARN of a resource policy is compared case-sensitively. */
const matches = (pattern: string, text: string, flags = 'i'): boolean =>
  new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, flags).test(text);

/** A role that may invoke every function is asked about each of them. */
const matchesAny = (patterns: readonly string[]): ((text: string) => boolean) => {
  const whole = new Set(
    patterns.filter((pattern) => !pattern.includes('*')).map((each) => each.toLowerCase()),
  );
  const partial = patterns.filter((pattern) => pattern.includes('*'));
  return (text) => whole.has(text.toLowerCase()) || partial.some((pattern) => matches(pattern, text));
};

const permissionSchema = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

type Caller = {
  /** The calling service, such as `events.amazonaws.com`. */
  readonly principal: string;
  readonly sourceArn: string;
};

/** Whether the function's resource policy lets a service invoke it. */
export const isPermitted = (stack: Stack, functionId: string, { principal, sourceArn }: Caller): boolean => {
  const { ref, attributes } = stack.identity(functionId);
  return stack
    .resources(SUPPORTED_TYPES.permission)
    .map((resource) => stack.properties(resource, permissionSchema))
    .some(
      (permission) =>
        ['lambda:InvokeFunction', 'lambda:*'].includes(permission.Action) &&
        [ref, attributes.Arn].includes(permission.FunctionName) &&
        permission.Principal === principal &&
        (permission.SourceArn === undefined || matches(permission.SourceArn, sourceArn, '')),
    );
};

/** `sns:Get* Set*` is `sns:Get*` and `sns:Set*`. */
export const toActions = (text: string): string[] => {
  const [service = '', names = ''] = text.split(':');
  return names.split(' ').map((name) => `${service}:${name}`);
};
