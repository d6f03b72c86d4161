import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionName, Variables } from '../../functions/platform/runtime/environment.ts';
import { FunctionRole } from './function-role.ts';
import type { Grant } from './grant.ts';
import { logRetention } from './log-retention.ts';

type Props<Name extends FunctionName> = {
  readonly code: Code;
  readonly description: string;
  /** Must provide every variable that the function reads: the compiler sees to it. */
  readonly grants: Grant<Variables<Name>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly logRetentionDays: number;
  /** Sends to the queue that invokes it, which Lambda would take for a runaway after 16 turns. */
  readonly mayLoop?: boolean;
  /** Publishes a version for each change and routes callers through an alias, so that a deployment can shift traffic. */
  readonly isGradual?: boolean;
  /** Concurrent executions that are kept for it, and no more than these. */
  readonly reservedConcurrency?: number | undefined;
};

/** A function as routes and queues invoke it: by its own ARN, or by the alias that its deployments move. */
export type InvocationTarget = Pick<IFunction, 'functionArn' | 'addEventSource' | 'grantPrincipal'>;

/** A Lambda of the service: one bundle, with a role of its own that can do what it is granted. */
export class ServiceFunction<Name extends FunctionName> extends LambdaFunction {
  /** Points at the version in use, for a function that is deployed gradually. */
  readonly liveAlias: Alias | undefined;

  constructor(scope: Construct, id: string, props: Props<Name>) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
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
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      ...(props.mayLoop === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: {
        ...props.grants.variables,
        // Stands in every log line, and tells the metrics of two deployments apart.
        SERVICE_NAME: Stack.of(scope).stackName,
        NODE_OPTIONS: '--enable-source-maps',
      },
    });
    props.grants.allow(this);
    this.liveAlias = props.isGradual === true ? this.addAlias('live') : undefined;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources to name: its two write actions are granted on all.',
    });
  }

  get target(): InvocationTarget {
    return this.liveAlias ?? this;
  }
}
