import type { IGrantable } from 'aws-cdk-lib/aws-iam';

/** A permission together with the environment variables that it needs: a function gets both or neither. */
export type Grant<Variables extends Readonly<Record<string, string>>> = {
  readonly variables: Variables;
  readonly allow: (grantee: IGrantable) => void;
};

type AnyGrant = Grant<Readonly<Record<string, string>>>;
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export const allOf = <const Grants extends readonly AnyGrant[]>(
  ...grants: Grants
): Grant<Intersection<Grants[number]['variables']> & Readonly<Record<string, string>>> => ({
  variables: Object.assign({}, ...grants.map(({ variables }) => variables)),
  allow: (grantee) => {
    for (const grant of grants) grant.allow(grantee);
  },
});

/** Only the variables of a grant, for a function that has what it names switched off. */
export const withoutPermissions = <Variables extends Readonly<Record<string, string>>>({
  variables,
}: Grant<Variables>): Grant<Variables> => settings(variables);

/** Variables that need no permission. */
export const settings = <const Variables extends Readonly<Record<string, string>>>(
  variables: Variables,
): Grant<Variables> => ({ variables, allow: () => {} });
