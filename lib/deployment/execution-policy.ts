import { RESOURCE_ACTIONS } from './resource-actions.ts';

/** IAM's limit for managed policies, without white space. */
export const MAX_POLICY_CHARACTERS = 6144;

export type Deployment = {
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  /** The name of the managed policy that all roles of the stack must have as their permissions boundary. */
  readonly boundary?: string | undefined;
};

type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
export type PolicyStatement = {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Condition;
};

/** Where CloudFormation's names begin with the name of the stack, the actions of a service are limited to them. */
const scopes = ({ stackName, account, region }: Deployment): Readonly<Record<string, readonly string[]>> => {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
  return {
    dynamodb: [arn('dynamodb', `table/${stackName}-*`)],
    events: [arn('events', `rule/${stackName}-*`)],
    iam: [`arn:aws:iam::${account}:role/${stackName}-*`, `arn:aws:iam::${account}:policy/${stackName}-*`],
    lambda: [arn('lambda', `function:${stackName}-*`)],
    logs: [
      arn('logs', `log-group:/aws/lambda/${stackName}-*`),
      arn('logs', `log-group:/aws/apigateway/${stackName}-*`),
      arn('logs', 'log-group:API-Gateway-Execution-Logs_*'),
      arn('logs', `log-group:aws-waf-logs-${stackName}`),
    ],
    s3: [`arn:aws:s3:::${stackName.toLowerCase()}-*`],
    sns: [arn('sns', `${stackName}-*`)],
    sqs: [arn('sqs', `${stackName}-*`)],
  };
};

/** Actions of these services that IAM cannot limit to a resource, or whose resources have other names. */
const UNLIMITED = new Set([
  'lambda:CreateEventSourceMapping',
  'lambda:DeleteEventSourceMapping',
  'lambda:GetEventSourceMapping',
  'lambda:GetProvisionedConcurrencyConfig',
  'lambda:ListTags',
  'lambda:TagResource',
  'lambda:UntagResource',
  'lambda:UpdateEventSourceMapping',
  'logs:CreateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:DescribeIndexPolicies',
  'logs:DescribeLogGroups',
  'logs:DescribeResourcePolicies',
  'logs:PutResourcePolicy',
  'sns:GetSubscriptionAttributes',
  'sns:SetSubscriptionAttributes',
  'sns:Unsubscribe',
]);

/** With a boundary, roles get permissions only while they have it. */
const BOUND = new Set([
  'iam:AttachRolePolicy',
  'iam:CreateRole',
  'iam:DetachRolePolicy',
  'iam:DeleteRolePolicy',
  'iam:PutRolePermissionsBoundary',
  'iam:PutRolePolicy',
]);

/** Services that assume roles of the stack. */
const PASSED_TO = ['apigateway.amazonaws.com', 'codedeploy.amazonaws.com', 'lambda.amazonaws.com'];

/** The bucket and the version of the bootstrap, from which code is read and with which `cdk` compares itself. */
const bootstrapStatements = ({ account, region }: Deployment): PolicyStatement[] => [
  {
    Effect: 'Allow',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::cdk-hnb659fds-assets-${account}-${region}/*`],
  },
  {
    Effect: 'Allow',
    Action: ['ssm:GetParameters'],
    Resource: [`arn:aws:ssm:${region}:${account}:parameter/cdk-bootstrap/hnb659fds/version`],
  },
];

const condition = (action: string, { account, boundary }: Deployment): Condition | undefined => {
  if (action === 'iam:PassRole') return { StringEquals: { 'iam:PassedToService': PASSED_TO } };
  if (boundary === undefined || !BOUND.has(action)) return undefined;
  return { StringEquals: { 'iam:PermissionsBoundary': `arn:aws:iam::${account}:policy/${boundary}` } };
};

/** One statement for all actions with the same resources and condition. */
export const executionStatements = (deployment: Deployment): PolicyStatement[] => {
  const limits = scopes(deployment);
  const groups = Map.groupBy(RESOURCE_ACTIONS.toSorted(), (action) => {
    const [service = ''] = action.split(':');
    const resources = UNLIMITED.has(action) ? ['*'] : (limits[service] ?? ['*']);
    return JSON.stringify({ Resource: resources, Condition: condition(action, deployment) });
  });
  return [
    ...Array.from(groups, ([key, Action]) => ({ Effect: 'Allow' as const, Action, ...JSON.parse(key) })),
    ...bootstrapStatements(deployment),
  ];
};

type PolicyDocument = { readonly Version: '2012-10-17'; readonly Statement: readonly PolicyStatement[] };

const toDocument = (Statement: readonly PolicyStatement[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement,
});
const size = (statements: readonly PolicyStatement[]): number =>
  JSON.stringify(toDocument(statements)).length;

/** A statement with many actions becomes several that fit. */
const split = (statement: PolicyStatement): PolicyStatement[] => {
  if (size([statement]) <= MAX_POLICY_CHARACTERS) return [statement];
  const middle = Math.ceil(statement.Action.length / 2);
  return [statement.Action.slice(0, middle), statement.Action.slice(middle)].flatMap((Action) =>
    split({ ...statement, Action }),
  );
};

/** The policies for `cdk bootstrap --cloudformation-execution-policies`, each within IAM's limit. */
export const executionPolicies = (deployment: Deployment): PolicyDocument[] => {
  const policies: PolicyStatement[][] = [[]];
  for (const statement of executionStatements(deployment).flatMap(split)) {
    const last = policies.at(-1) ?? [];
    if (size([...last, statement]) <= MAX_POLICY_CHARACTERS) last.push(statement);
    else policies.push([statement]);
  }
  return policies.map(toDocument);
};
