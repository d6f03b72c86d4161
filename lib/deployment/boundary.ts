import * as z from 'zod';
import { RANDOM_END } from '../local/template/deployed-template.ts';
import { toActions } from '../local/template/policies.ts';
import type { Deployment } from './execution-policy.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const statementSchema = z.object({ Effect: z.string(), Action: oneOrMore, Resource: oneOrMore });
const policySchema = z.object({ PolicyDocument: z.object({ Statement: z.array(statementSchema) }) });
const roleSchema = z.object({
  ManagedPolicyArns: z.array(z.string()).default([]),
  Policies: z.array(policySchema).default([]),
});

/** What the roles of API Gateway and CodeDeploy need of AWS's own policies. */
const MANAGED: Readonly<Record<string, readonly string[]>> = {
  // `AWS::ApiGateway::Account` requires all of these, on every log group.
  AmazonAPIGatewayPushToCloudWatchLogs: [
    'logs:CreateLogGroup CreateLogStream DescribeLogGroups DescribeLogStreams FilterLogEvents GetLogEvents PutLogEvents',
  ],
  AWSCodeDeployRoleForLambdaLimited: [
    'cloudwatch:DescribeAlarms',
    'lambda:GetAlias GetProvisionedConcurrencyConfig UpdateAlias',
  ],
};

const managedStatements = (arn: string): z.infer<typeof statementSchema>[] => {
  const actions = MANAGED[arn.slice(arn.lastIndexOf('/') + 1)];
  if (actions === undefined) throw new Error(`the boundary does not know the policy ${arn}`);
  return actions.map((text) => ({ Effect: 'Allow', Action: toActions(text), Resource: ['*'] }));
};

/** Names end after the stack, or before their random end, so that the boundary outlives replaced resources. */
const toPattern = (stackName: string, resource: string): string =>
  resource.replace(new RegExp(`\\b(${stackName}-|\\w+-(?=${RANDOM_END})).*`, 'i'), '$1*');

/** The permissions boundary of the roles: everything that any of them may do, by its resources. */
export const boundaryPolicy = ({ stackName, resources }: Deployment) => {
  const statements = resources
    .filter(({ type }) => type === 'AWS::IAM::Role')
    .map(({ properties }) => roleSchema.parse(properties))
    .flatMap(({ ManagedPolicyArns, Policies }) => [
      ...ManagedPolicyArns.flatMap(managedStatements),
      ...Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    ])
    .filter(({ Effect }) => Effect === 'Allow');
  const actions = [...new Set(statements.flatMap(({ Action }) => Action))].toSorted();
  const byResources = Map.groupBy(actions, (action) => {
    const own = statements.filter(({ Action }) => Action.includes(action));
    const patterns = own.flatMap(({ Resource }) => Resource.map((each) => toPattern(stackName, each)));
    return (patterns.includes('*') ? ['*'] : [...new Set(patterns)].toSorted()).join(' ');
  });
  return {
    Version: '2012-10-17',
    Statement: Array.from(byResources, ([key, Action]) => ({
      Effect: 'Allow',
      Action,
      Resource: key.split(' '),
    })),
  };
};
