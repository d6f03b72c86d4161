import { LocalCloudError } from '../errors.ts';
import { evaluate, type Lookups } from './intrinsics.ts';
import { type Environment, type Identity, identify, pseudoParameters } from './resource-types.ts';
import type { Template } from './template.ts';

/** The template as CloudFormation deploys it: with generated names, and with values in place of intrinsic functions. */
export type DeployedTemplate = {
  readonly template: Template;
  readonly environment: Environment;
  readonly resources: readonly DeployedResource[];
};

export type DeployedResource = Identity & {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** A resource and why AWS refuses it. */
export type Problem = readonly [logicalId: string, reason: string];

/** The property with the name of a resource, and the longest name that the service accepts. */
export const NAMES: Readonly<Record<string, readonly [property: string, length: number]>> = {
  'AWS::CloudTrail::Trail': ['TrailName', 128],
  'AWS::CloudWatch::Alarm': ['AlarmName', 255],
  'AWS::CloudWatch::CompositeAlarm': ['AlarmName', 255],
  'AWS::CloudWatch::Dashboard': ['DashboardName', 255],
  'AWS::CodeDeploy::Application': ['ApplicationName', 100],
  'AWS::CodeDeploy::DeploymentGroup': ['DeploymentGroupName', 100],
  'AWS::DynamoDB::Table': ['TableName', 255],
  'AWS::Events::Rule': ['Name', 64],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', 128],
  'AWS::IAM::Role': ['RoleName', 64],
  'AWS::Lambda::Function': ['FunctionName', 64],
  'AWS::Logs::LogGroup': ['LogGroupName', 512],
  'AWS::S3::Bucket': ['BucketName', 63],
  'AWS::SNS::Topic': ['TopicName', 256],
  'AWS::SQS::Queue': ['QueueName', 80],
  'AWS::WAFv2::WebACL': ['Name', 128],
};

/** CloudFormation ends generated names with 12 or 13 random characters. */
export const RANDOM_END = 'XXXXXXXXXXXXX';

/**
 * A name that CloudFormation generates. One that is too long is cut: the random end keeps its place, and the stack and the
 * logical id share the rest, as the names of deployed stacks show. An odd character may belong to either of them.
 */
export const generatedName = (
  type: string,
  stackName: string,
  logicalId: string,
  end = RANDOM_END,
): string => {
  // Only the names of secrets do not begin with the name of the stack.
  if (type === 'AWS::SecretsManager::Secret') return `${logicalId}-${end}`;
  const [, longest] = NAMES[type] ?? ['', 255];
  const room = longest - RANDOM_END.length - 2;
  const stack = stackName.slice(0, Math.max(Math.floor(room / 2), room - logicalId.length));
  const name = [stack, logicalId.slice(0, room - stack.length), end].join('-');
  return type === 'AWS::S3::Bucket' ? name.toLowerCase() : name;
};

/** Stands for an attribute that only AWS knows, such as an alias of a domain name. */
const UNKNOWN = 'x'.repeat(150);

/** The values that a reference can have, with names as long as they can be. */
const createLookups = (
  { Resources, Parameters, Conditions }: Template,
  environment: Environment,
): Lookups => {
  const identities = new Map<string, Identity>();
  const pseudo = pseudoParameters(environment);
  const identity = (logicalId: string): Identity | undefined => {
    const resource = Resources[logicalId];
    if (resource === undefined) return undefined;
    const name = (property: string): string => {
      const given = evaluate(resource.Properties[property], `${logicalId}.${property}`, lookups);
      return typeof given === 'string'
        ? given
        : generatedName(resource.Type, environment.stackName, logicalId);
    };
    const made = identities.get(logicalId) ?? identify(resource.Type, { logicalId, environment, name });
    identities.set(logicalId, made);
    return made;
  };
  const lookups: Lookups = {
    ref: (name) =>
      identity(name)?.ref ?? (Object.hasOwn(pseudo, name) ? pseudo[name] : Parameters[name]?.Default),
    attribute: (logicalId, attribute) => {
      const found = identity(logicalId);
      return found === undefined ? undefined : (found.attributes[attribute] ?? UNKNOWN);
    },
    condition: (name) =>
      Object.hasOwn(Conditions, name)
        ? evaluate(Conditions[name], `The condition ${name}`, lookups) === true
        : undefined,
  };
  return lookups;
};

/** Without the resources that cannot be resolved, which are the problems. */
export const deployTemplate = (
  template: Template,
  environment: Environment,
): DeployedTemplate & { readonly problems: readonly Problem[] } => {
  const lookups = createLookups(template, environment);
  const resources: DeployedResource[] = [];
  const problems: Problem[] = [];
  for (const [logicalId, { Type: type, Properties }] of Object.entries(template.Resources))
    try {
      const values = Object.entries(Properties).map(
        ([name, value]) => [name, evaluate(value, `${logicalId}.${name}`, lookups)] as const,
      );
      const properties = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      const ref = String(lookups.ref(logicalId));
      const Arn = String(lookups.attribute(logicalId, 'Arn'));
      resources.push({ logicalId, type, properties, ref, attributes: { Arn } });
    } catch (error) {
      if (!(error instanceof LocalCloudError)) throw error;
      problems.push([logicalId, error.message]);
    }
  return { template, environment, resources, problems };
};
