import {
  type AddToPrincipalPolicyResult,
  type IGrantable,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  type Code,
  type IFunction,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { LambdaModule, Variables } from '../../functions/platform/runtime/environment.ts';

/** Environment variables by name; undefined if the stack leaves out the feature that they belong to. */
type Named = Readonly<Record<string, string | undefined>>;

/** A permission together with the environment variables that it needs: a function gets both or neither. */
export type Grant<Variables extends Named> = {
  readonly variables: Variables;
  readonly allow: (grantee: IGrantable) => void;
};

type AnyGrant = Grant<Named>;
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export const allOf = <const Grants extends readonly AnyGrant[]>(
  ...grants: Grants
): Grant<Intersection<Grants[number]['variables']> & Named> => ({
  variables: Object.assign({}, ...grants.map(({ variables }) => variables)),
  allow: (grantee) => {
    for (const grant of grants) grant.allow(grantee);
  },
});

/** The grant of a feature that the stack may leave out; then it has no permission and no variable. */
export const ifIncluded = <Variables extends Named>(
  grant: Grant<Variables> | undefined,
): Grant<{ readonly [Name in keyof Variables]: Variables[Name] | undefined }> => ({
  variables: Object.assign({}, ...(grant === undefined ? [] : [grant.variables])),
  allow: (grantee) => grant?.allow(grantee),
});

/** Only the variables of a grant, for a function that has what it names switched off. */
export const withoutPermissions = <Variables extends Named>({
  variables,
}: Grant<Variables>): Grant<Variables> => settings(variables);

/** Variables that need no permission. */
export const settings = <const Variables extends Named>(variables: Variables): Grant<Variables> => ({
  variables,
  allow: () => {},
});

export type FunctionProps<Module extends LambdaModule> = {
  readonly description: string;
  /** Must provide every variable that the function reads, which the compiler checks. */
  readonly grants: Grant<Variables<Module>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** For a function that sends to its own queue: Lambda's loop detection would stop it after 16 turns. */
  readonly mayLoop?: boolean;
  /** Publishes a version for each change and routes callers through an alias, so that a deployment can shift traffic. */
  readonly isGradual?: boolean;
};

type Props = FunctionProps<LambdaModule> & {
  readonly name: string;
  readonly code: Code;
  readonly logRetentionDays: number;
  readonly tracing: boolean;
  readonly reservedConcurrency: number | undefined;
};

/** A function as routes and queues invoke it: by its own ARN, or by the alias that its deployments move. */
export type InvocationTarget = Pick<IFunction, 'functionArn' | 'addEventSource' | 'grantPrincipal'>;

const definedOnly = (variables: Named): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A Lambda function with its own bundle, log group and role. */
export class ServiceFunction extends LambdaFunction {
  /** Points at the version in use if the function is deployed gradually. */
  readonly liveAlias: Alias | undefined;

  constructor(scope: Construct, id: string, props: Props) {
    const { stackName } = Stack.of(scope);
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      // A fixed name, so that operators find the logs. It must be free: a retained log group would block the next stack.
      logGroupName: `/aws/lambda/${stackName}-${props.name}`,
      retention: logRetention(props.logRetentionDays),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new FunctionRole(scope, `${id}Role`);
    logGroup.grantWrite(role);
    super(scope, id, {
      description: props.description,
      code: props.code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      ...(props.tracing ? { tracing: Tracing.ACTIVE } : {}),
      ...(props.mayLoop === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: {
        ...definedOnly(props.grants.variables),
        // Part of every log line and metric, to tell deployments apart.
        SERVICE_NAME: stackName,
      },
    });
    props.grants.allow(this);
    this.liveAlias = props.isGradual === true ? this.addAlias('live') : undefined;
    if (!props.tracing) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The two write actions of X-Ray cannot be limited to a resource.',
    });
  }

  get target(): InvocationTarget {
    return this.liveAlias ?? this;
  }
}

/** Has its policy inline: a separate policy would count towards the 500 resources of a stack. */
class FunctionRole extends Role {
  readonly #document: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const document = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Grants: document },
    });
    this.#document = document;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#document.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

const OFFERED_RETENTIONS = Object.values(RetentionDays).filter((value) => typeof value === 'number');

/** The shortest retention period of CloudWatch that covers the given days. */
export const logRetention = (days: number): RetentionDays =>
  OFFERED_RETENTIONS.toSorted((one, other) => one - other).find((offered) => offered >= days) ??
  RetentionDays.TEN_YEARS;
