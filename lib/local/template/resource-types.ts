import { createHash } from 'node:crypto';
import { LocalCloudError } from '../errors.ts';
import type { Template } from './template.ts';

/** Resource types that the local cloud emulates. */
export const SUPPORTED_TYPES = {
  restApi: 'AWS::ApiGateway::RestApi',
  apiStage: 'AWS::ApiGateway::Stage',
  apiDomain: 'AWS::ApiGateway::DomainName',
  table: 'AWS::DynamoDB::Table',
  rule: 'AWS::Events::Rule',
  eventInvokeConfig: 'AWS::Lambda::EventInvokeConfig',
  eventSourceMapping: 'AWS::Lambda::EventSourceMapping',
  alias: 'AWS::Lambda::Alias',
  function: 'AWS::Lambda::Function',
  permission: 'AWS::Lambda::Permission',
  bucket: 'AWS::S3::Bucket',
  secret: 'AWS::SecretsManager::Secret',
  queue: 'AWS::SQS::Queue',
} as const;

/** Resource types without effect on a handler or client of the local cloud. */
const IGNORED_TYPES: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::CDK::Metadata',
  'AWS::CertificateManager::Certificate',
  'AWS::CloudTrail::Trail',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::ECR::Repository',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::LoggingConfiguration',
  'AWS::SSM::Parameter',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
]);

const SUPPORTED: ReadonlySet<string> = new Set(Object.values(SUPPORTED_TYPES));

export const isKnownType = (type: string): boolean => SUPPORTED.has(type) || IGNORED_TYPES.has(type);

export const assertKnownTypes = (template: Template): void => {
  for (const [logicalId, { Type }] of Object.entries(template.Resources)) {
    if (!isKnownType(Type)) {
      throw new LocalCloudError(
        `The local cloud does not know the resource type ${Type} of ${logicalId}: support it, or list it as ignored.`,
      );
    }
  }
};

export type Environment = {
  readonly region: string;
  readonly accountId: string;
  readonly stackName: string;
  /** Part of queue and bucket URLs; unknown until the emulators listen. */
  readonly endpoint?: string;
  /** The names of resources that the template does not name, by logical id; default: stack and logical id. */
  readonly physicalNames?: Readonly<Record<string, string>>;
};

/** Values of Ref and Fn::GetAtt for a resource. */
export type Identity = {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
};

type Subject = {
  readonly logicalId: string;
  readonly environment: Environment;
  /** The value of this property, or a name derived from the stack and the logical id. */
  readonly name: (property: string) => string;
};

type Identify = (subject: Subject) => Identity;

export const pseudoParameters = ({ region, accountId, stackName }: Environment): Record<string, unknown> => ({
  'AWS::AccountId': accountId,
  'AWS::NoValue': null,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`,
  'AWS::StackName': stackName,
  'AWS::URLSuffix': 'amazonaws.com',
});

const arn = ({ region, accountId }: Environment, service: string, resource: string) =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;

const shortHash = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

const table: Identify = ({ environment, name }) => {
  const ref = name('TableName');
  return { ref, attributes: { Arn: arn(environment, 'dynamodb', `table/${ref}`) } };
};

const bucket: Identify = ({ environment: { endpoint = 'http://127.0.0.1' }, name }) => {
  const ref = name('BucketName').toLowerCase();
  return { ref, attributes: { Arn: `arn:aws:s3:::${ref}`, RegionalDomainName: new URL(endpoint).host } };
};

const queue: Identify = ({ environment, name }) => {
  const queueName = name('QueueName');
  const { endpoint = 'http://127.0.0.1', accountId } = environment;
  return {
    ref: `${endpoint}/${accountId}/${queueName}`,
    attributes: { Arn: arn(environment, 'sqs', queueName), QueueName: queueName },
  };
};

const secret: Identify = ({ environment, logicalId, name }) => {
  const ref = arn(environment, 'secretsmanager', `secret:${name('Name')}-${shortHash(logicalId, 6)}`);
  return { ref, attributes: { Id: ref } };
};

const named =
  (service: string, property: string, resource: (name: string) => string): Identify =>
  ({ environment, name }) => {
    const ref = name(property);
    return { ref, attributes: { Arn: arn(environment, service, resource(ref)) } };
  };

const restApi: Identify = ({ logicalId }) => ({
  ref: shortHash(logicalId, 10),
  attributes: { RestApiId: shortHash(logicalId, 10), RootResourceId: shortHash(`${logicalId}/`, 6) },
});

const role: Identify = ({ environment: { accountId }, name }) => {
  const ref = name('RoleName');
  return { ref, attributes: { Arn: `arn:aws:iam::${accountId}:role/${ref}` } };
};

const alias: Identify = ({ environment, name }) => ({
  ref: arn(environment, 'lambda', `function:${name('FunctionName')}:${name('Name')}`),
  attributes: {},
});

/** For other types, Ref is the name, and there are no attributes. */
const IDENTITIES: Readonly<Record<string, Identify>> = {
  [SUPPORTED_TYPES.table]: table,
  [SUPPORTED_TYPES.bucket]: bucket,
  [SUPPORTED_TYPES.queue]: queue,
  [SUPPORTED_TYPES.secret]: secret,
  'AWS::CloudWatch::Alarm': named('cloudwatch', 'AlarmName', (name) => `alarm:${name}`),
  'AWS::CloudWatch::CompositeAlarm': named('cloudwatch', 'AlarmName', (name) => `alarm:${name}`),
  [SUPPORTED_TYPES.function]: named('lambda', 'FunctionName', (name) => `function:${name}`),
  [SUPPORTED_TYPES.alias]: alias,
  [SUPPORTED_TYPES.rule]: named('events', 'Name', (name) => `rule/${name}`),
  [SUPPORTED_TYPES.restApi]: restApi,
  [SUPPORTED_TYPES.apiStage]: ({ name }) => ({ ref: name('StageName'), attributes: {} }),
  'AWS::ApiGateway::Deployment': ({ logicalId }) => ({ ref: shortHash(logicalId, 6), attributes: {} }),
  'AWS::IAM::Role': role,
  'AWS::KMS::Key': named('kms', 'KeyId', (name) => `key/${name}`),
  'AWS::Logs::LogGroup': named('logs', 'LogGroupName', (name) => `log-group:${name}:*`),
  'AWS::SNS::Topic': ({ environment, name }) => ({
    ref: arn(environment, 'sns', name('TopicName')),
    attributes: {},
  }),
};

export const identify = (type: string, subject: Subject): Identity => {
  const known = IDENTITIES[type];
  return known === undefined ? { ref: subject.name('Name'), attributes: {} } : known(subject);
};
