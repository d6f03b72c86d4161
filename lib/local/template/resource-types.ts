import { LocalCloudError } from '../local-cloud-error.ts';
import type { Template } from './schema.ts';

/** Resource types that the local cloud builds from. */
export const SUPPORTED_TYPES = {
  restApi: 'AWS::ApiGateway::RestApi',
  apiStage: 'AWS::ApiGateway::Stage',
  apiDomain: 'AWS::ApiGateway::DomainName',
  table: 'AWS::DynamoDB::Table',
  globalTable: 'AWS::DynamoDB::GlobalTable',
  rule: 'AWS::Events::Rule',
  eventInvokeConfig: 'AWS::Lambda::EventInvokeConfig',
  eventSourceMapping: 'AWS::Lambda::EventSourceMapping',
  alias: 'AWS::Lambda::Alias',
  function: 'AWS::Lambda::Function',
  permission: 'AWS::Lambda::Permission',
  bucket: 'AWS::S3::Bucket',
  schedule: 'AWS::Scheduler::Schedule',
  secret: 'AWS::SecretsManager::Secret',
  queue: 'AWS::SQS::Queue',
} as const;

/** Resource types that change nothing a handler or a client can tell on one machine. */
const TYPES_WITHOUT_LOCAL_MEANING: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::Budgets::Budget',
  'AWS::CDK::Metadata',
  'AWS::CertificateManager::Certificate',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::ResourcePolicy',
  'AWS::WAFv2::WebACLAssociation',
  'Custom::S3AutoDeleteObjects',
]);

export const assertKnownTypes = (template: Template): void => {
  const supported = new Set<string>(Object.values(SUPPORTED_TYPES));
  for (const [logicalId, { Type }] of Object.entries(template.Resources)) {
    if (!supported.has(Type) && !TYPES_WITHOUT_LOCAL_MEANING.has(Type)) {
      throw new LocalCloudError(
        `The local cloud does not know the resource type ${Type} of ${logicalId}: support it, or list it as one without local meaning.`,
      );
    }
  }
};
