import * as z from 'zod';

const oneOrMore = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);
const statementSchema = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.unknown().optional(),
});
const roleSchema = z.object({
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statementSchema) }) })),
});
const functionSchema = z.looseObject({ Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }) });

type Resources = {
  readonly Resources: Readonly<Record<string, { readonly Properties?: unknown } | undefined>>;
};

/** The permissions of a function's role, one text for each action on each resource. */
export const functionPermissions = ({ Resources }: Resources, functionId: string): string[] => {
  const [roleId] = functionSchema.parse(Resources[functionId]?.Properties).Role['Fn::GetAtt'];
  const { Policies } = roleSchema.parse(Resources[roleId]?.Properties);
  const permissions = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(
    ({ Effect, Action, Resource, Condition }) =>
      Action.flatMap((action) =>
        Resource.map((resource) =>
          [Effect, action, JSON.stringify(resource), JSON.stringify(Condition) ?? ''].join(' ').trimEnd(),
        ),
      ),
  );
  return [...new Set(permissions)].toSorted();
};

/** Without it a traced version works as before: Lambda drops its traces. */
const TRACING = /^Allow xray:Put/;

/** What the functions of the previous release could do, and can no longer do with the roles of this one. */
export const lostPermissions = (previous: readonly string[], current: readonly string[]): string[] => [
  ...previous.filter((each) => each.startsWith('Allow ') && !TRACING.test(each) && !current.includes(each)),
  ...current.filter((each) => each.startsWith('Deny ') && !previous.includes(each)),
];
