import { join, resolve } from 'node:path';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, Code, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack, Stage, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import * as z from 'zod';
import type { LambdaModule } from '../../functions/platform/runtime/environment.ts';
import { type Config, settingError } from '../config.ts';
import { bundleInto, keptBundles } from './bundling.ts';
import { emptyBundle } from './late-bundles.ts';
import { type FunctionProps, ServiceFunction } from './service-function.ts';

/** A context value for an app whose functions are bundled when they are first used. */
export const BUNDLE_LATE = 'bundleLate';

const bundleFunctions = (scope: Construct): ((name: string) => Code) => {
  // Commands such as `cdk list` need no code.
  if (!Stack.of(scope).bundlingRequired) return () => Code.fromInline('// Not bundled.');
  if (scope.node.tryGetContext(BUNDLE_LATE) === true)
    return (name) => Code.fromAsset(emptyBundle(Stage.of(scope)?.outdir ?? '', name));
  const folder = bundlesFolder(scope, bundleInto);
  return (name) => Code.fromAsset(join(folder, name));
};

/** Where the bundles are: among those that are kept, or made for this app. */
export const bundlesFolder = (scope: Construct, make: (folder: string) => void, project?: string): string => {
  const kept = keptBundles(make, project);
  if (kept !== undefined) return kept;
  const folder = resolve(Stage.of(scope)?.outdir ?? 'cdk.out', 'bundles');
  make(folder);
  return folder;
};

/** Creates the functions of the stack, each from the file of the same name in `functions/`. */
export class Functions {
  readonly all = new Map<string, ServiceFunction>();
  readonly #scope: Construct;
  readonly #config: Config;
  readonly #code: (name: string) => Code;

  constructor(scope: Construct, config: Config) {
    this.#scope = scope;
    this.#config = config;
    this.#code = bundleFunctions(scope);
  }

  /** `Module` is the type of the Lambda's file, such as `typeof CreateVideo`: its environment must be granted. */
  create<Module extends LambdaModule = never>(
    name: string,
    props: FunctionProps<NoInfer<Module>>,
  ): ServiceFunction {
    const id = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const created = new ServiceFunction(this.#scope, id, {
      ...props,
      name,
      code: this.#code(name),
      logRetentionDays: this.#config.logRetentionDays,
      tracing: this.#config.tracing,
      reservedConcurrency: this.#config.reservedConcurrency[name],
    });
    this.all.set(name, created);
    return created;
  }

  get(name: string): ServiceFunction {
    const found = this.all.get(name);
    if (found === undefined) throw new Error(`there is no function ${name}`);
    return found;
  }

  /** Checks what would otherwise fail during the deployment, or be ignored. */
  assertDeployable(): void {
    const names = new Set<string>(this.all.keys());
    const unknown = Object.keys(this.#config.reservedConcurrency).find((name) => !names.has(name));
    if (unknown !== undefined) throw settingError('reservedConcurrency', `there is no function ${unknown}`);
    for (const [name, lambda] of this.all) assertEnvironmentFits(name, lambda);
  }
}

/** Lambda's limit for the names and values of all variables of a function. */
const MAX_ENVIRONMENT_BYTES = 4096;
/** An estimate for a URL or an ARN that is known only after the deployment. */
const UNKNOWN_BYTES = 150;
/** CloudFormation names tables and buckets after the stack and their id, with this many characters added. */
const NAME_SUFFIX_BYTES = 15;

const Reference = z.object({ Ref: z.string() });

const valueBytes = (name: string, value: unknown, stackName: string): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  const { success, data } = Reference.safeParse(value);
  return success && /_(?:TABLE|BUCKET)$/.test(name)
    ? stackName.length + data.Ref.length + NAME_SUFFIX_BYTES
    : UNKNOWN_BYTES;
};

const Environment = z.object({ variables: z.record(z.string(), z.unknown()).default({}) });

const variableSizes = (lambda: LambdaFunction): readonly (readonly [name: string, bytes: number])[] => {
  const resource = lambda.node.defaultChild;
  if (!(resource instanceof CfnFunction)) return [];
  const { variables } = Environment.parse(Stack.of(lambda).resolve(resource.environment) ?? {});
  return Object.entries(variables).map(([name, value]) => [
    name,
    name.length + valueBytes(name, value, Stack.of(lambda).stackName),
  ]);
};

const settingName = (variable: string): string =>
  variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const assertEnvironmentFits = (name: string, lambda: LambdaFunction): void => {
  const variables = variableSizes(lambda);
  const total = variables.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (total <= MAX_ENVIRONMENT_BYTES) return;
  const [[largest] = ['']] = variables.toSorted(([, one], [, other]) => other - one);
  throw settingError(
    settingName(largest),
    `is too long: the variables of ${name} would take about ${total} bytes, and Lambda allows ${MAX_ENVIRONMENT_BYTES}`,
  );
};

type TrafficShiftProps = {
  /** Named by CodeDeploy. */
  readonly shift: Config['trafficShift'];
  readonly functions: Functions;
  /** Each of them stops a deployment and returns all traffic to the previous version. */
  readonly alarms: readonly IAlarm[];
};

/** Lets CodeDeploy move the aliases of the gradual functions; otherwise CloudFormation moves them at once. */
export class TrafficShift extends Construct {
  constructor(scope: Construct, id: string, { shift, functions, alarms }: TrafficShiftProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    const configName = `CodeDeployDefault.Lambda${shift}`;
    const deploymentConfig = LambdaDeploymentConfig.fromLambdaDeploymentConfigName(this, 'Shift', configName);
    for (const { node, liveAlias } of functions.all.values())
      if (liveAlias !== undefined)
        new LambdaDeploymentGroup(this, node.id, {
          application,
          role,
          alias: liveAlias,
          alarms: [...alarms],
          deploymentConfig,
          autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
        });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'This AWS managed policy lets CodeDeploy move aliases and read alarms.',
    });
  }
}
