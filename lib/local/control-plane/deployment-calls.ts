import type { DeployedResource } from '../template/deployed-template.ts';
import { toActions } from '../template/policies.ts';
import { isAllowedBy } from './policy-simulation.ts';

/**
 * The main calls with which CloudFormation creates, changes and deletes resources, by type and ARN: the `handlers` in its
 * registry (`aws cloudformation describe-type`) name them.
 */
const TABLE = `
AWS::ApiGateway::Account               arn:aws:apigateway:REGION::/account                  apigateway:GET PATCH
AWS::ApiGateway::DomainName            arn:aws:apigateway:REGION::/domainnames              apigateway:POST
AWS::ApiGateway::RestApi               arn:aws:apigateway:REGION::/restapis                 apigateway:POST
AWS::ApiGateway::Stage                 arn:aws:apigateway:REGION::/restapis/a1/stages/prod  apigateway:PATCH DELETE
AWS::CertificateManager::Certificate   arn:aws:acm:REGION:ACCOUNT:certificate/1             acm:AddTagsToCertificate DescribeCertificate DeleteCertificate
AWS::CloudTrail::Trail                 arn:aws:cloudtrail:REGION:ACCOUNT:trail/{TrailName}  cloudtrail:CreateTrail StartLogging PutEventSelectors DeleteTrail
AWS::CloudWatch::Alarm                 {Arn}                                                cloudwatch:PutMetricAlarm DescribeAlarms DeleteAlarms
AWS::CloudWatch::CompositeAlarm        {Arn}                                                cloudwatch:PutCompositeAlarm DeleteAlarms
AWS::CloudWatch::Dashboard             arn:aws:cloudwatch::ACCOUNT:dashboard/{DashboardName}  cloudwatch:PutDashboard DeleteDashboards
AWS::CodeDeploy::Application           arn:aws:codedeploy:REGION:ACCOUNT:application:{Ref}  codedeploy:CreateApplication DeleteApplication
AWS::CodeDeploy::DeploymentGroup       arn:aws:codedeploy:REGION:ACCOUNT:deploymentgroup:{ApplicationName}/{Ref}  codedeploy:CreateDeploymentGroup CreateDeployment ListDeployments
AWS::Cognito::UserPool                 arn:aws:cognito-idp:REGION:ACCOUNT:userpool/REGION_1  cognito-idp:UpdateUserPool CreateUserPoolClient DeleteUserPool
AWS::DynamoDB::Table                   {Arn}                                                dynamodb:CreateTable DescribeTable UpdateTable UpdateTimeToLive UpdateContinuousBackups TagResource DeleteTable
AWS::Events::Rule                      {Arn}                                                events:PutRule PutTargets RemoveTargets DeleteRule
AWS::IAM::Role                         {Arn}                                                iam:CreateRole PutRolePolicy AttachRolePolicy PassRole TagRole DeleteRolePolicy DeleteRole
AWS::KMS::Key                          arn:aws:kms:REGION:ACCOUNT:key/1                     kms:TagResource PutKeyPolicy EnableKeyRotation ScheduleKeyDeletion
AWS::Lambda::Alias                     {Ref}                                                lambda:CreateAlias UpdateAlias DeleteAlias
AWS::Lambda::EventSourceMapping        arn:aws:lambda:REGION:ACCOUNT:event-source-mapping:1  lambda:UpdateEventSourceMapping TagResource DeleteEventSourceMapping
AWS::Lambda::Function                  {Arn}                                                lambda:CreateFunction UpdateFunctionCode PutFunctionRecursionConfig AddPermission DeleteFunction
AWS::Logs::LogGroup                    {Arn}                                                logs:CreateLogGroup PutRetentionPolicy AssociateKmsKey PutMetricFilter DeleteLogGroup
AWS::Route53::RecordSet                arn:aws:route53:::hostedzone/{HostedZoneId}          route53:ChangeResourceRecordSets
AWS::S3::Bucket                        {Arn}                                                s3:CreateBucket PutBucketPolicy PutLifecycleConfiguration GetBucketAbac GetBucketMetadataTableConfiguration DeleteBucket
AWS::SNS::Topic                        {Ref}                                                sns:CreateTopic SetTopicAttributes Subscribe Unsubscribe DeleteTopic
AWS::SQS::Queue                        {Arn}                                                sqs:CreateQueue SetQueueAttributes TagQueue DeleteQueue
AWS::SecretsManager::Secret            {Ref}                                                secretsmanager:CreateSecret TagResource DescribeSecret DeleteSecret
AWS::WAFv2::WebACL                     arn:aws:wafv2:REGION:ACCOUNT:regional/webacl/a/1     wafv2:CreateWebACL UpdateWebACL DeleteWebACL`;

const CALLS = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [type = '', arn = '', ...actions] = row.split(/ +/);
    return { type, arn, actions: toActions(actions.join(' ')) };
  });

export const TRIED_TYPES = CALLS.map(({ type }) => type);

/** A call and what IAM knows about it; the tags are those of the request and of the resource. */
export type DeploymentCall = {
  readonly action: string;
  readonly resource: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly context?: Readonly<Record<string, string>>;
};

/** Without the policy of the key, no other policy allows its use. */
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Action: 'kms:*', Resource: '*' },
  ],
};

/** Whether these policies of a role let it make a call. */
export const isCallAllowed = (
  policies: readonly unknown[],
  { action, resource, tags = {}, context = {} }: DeploymentCall,
): Promise<boolean> => {
  const tagged = Object.entries(tags).flatMap(([name, value]) =>
    ['RequestTag', 'ResourceTag'].map((kind) => [`aws:${kind}/${name}`, value] as const),
  );
  return isAllowedBy(policies, {
    principal: 'role',
    action,
    resource,
    context: { ...context, ...Object.fromEntries(tagged) },
    ...(action.startsWith('kms:') ? { resourcePolicy: KEY_POLICY } : {}),
  });
};

type Deployment = {
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  /** The name of the permissions boundary of every role. */
  readonly boundary: string;
  readonly resources: readonly DeployedResource[];
};

/** The calls for the resources of the stack. */
export const listDeploymentCalls = (deployment: Deployment): readonly DeploymentCall[] => {
  const { stackName, account, region, boundary, resources } = deployment;
  const context = {
    'iam:PermissionsBoundary': `arn:aws:iam::${account}:policy/${boundary}`,
    'iam:PassedToService': 'lambda.amazonaws.com',
    'lambda:FunctionArn': `arn:aws:lambda:${region}:${account}:function:${stackName}-a`,
  };
  return CALLS.flatMap(({ type, arn, actions }) =>
    resources
      .filter((resource) => resource.type === type)
      .flatMap(({ ref, attributes, properties }) => {
        const values: Readonly<Record<string, unknown>> = { ...properties, ...attributes, Ref: ref };
        const resource = arn
          .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
          .replace(/REGION|ACCOUNT/g, (name) => (name === 'REGION' ? region : account));
        return actions.map((action) => ({ action, resource, tags: { application: stackName }, context }));
      }),
  );
};
