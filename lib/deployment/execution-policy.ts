import type { DeployedResource } from '../local/template/deployed-template.ts';
import { toActions } from '../local/template/policies.ts';
import { policyLength } from '../local/template/rules/policies.ts';

export type Deployment = {
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  /** Of the bootstrap. */
  readonly qualifier: string;
  /** The name of the managed policy that is the permissions boundary of every role. */
  readonly boundary: string;
  /** Of the template. */
  readonly resources: readonly DeployedResource[];
};

/**
 * What CloudFormation may do if the template has resources of these types: the actions of a service, such as `sns:Get* Set*`,
 * on ARNs without partition, account and region, under a condition.
 */
type Row = readonly [types: string, actions: string, resources: string, condition?: Condition];
type PolicyStatement = {
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Condition;
};
type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

const TABLES =
  '*Tag* CreateTable DeleteTable Describe* GetResourcePolicy UpdateContinuousBackups UpdateTable UpdateTimeToLive';
const BUCKETS =
  'CreateBucket DeleteBucket* Get*Configuration GetBucket* ListBucket ListTagsForResource Put*Configuration PutBucket*';
const LOGS = '*KmsKey *LogGroup *MetricFilter *RetentionPolicy *Tag* GetDataProtectionPolicy';
const KEYS =
  'Describe* EnableKeyRotation Get* List* PutKeyPolicy ScheduleKeyDeletion UntagResource UpdateKeyDescription';
const ROLES = 'DeleteRole Get* List* TagRole UntagRole UpdateAssumeRolePolicy UpdateRole*';
const BOUND_ROLES = 'AttachRolePolicy CreateRole DeleteRolePolicy DetachRolePolicy PutRole*';
const KEY_ARN = /arn:aws:kms:[\w-]+:\d{12}:key\/[\da-f]{8}-[\da-f-]{27}/g;
/** Services that assume roles of the stack. */
const PASSED_TO = ['apigateway', 'codedeploy', 'lambda'].map((service) => `${service}.amazonaws.com`);
/** The role with which API Gateway serves custom domains. */
const LINKED = 'ops.apigateway.amazonaws.com';

const listRows = ({
  stackName: stack,
  account,
  region,
  qualifier,
  boundary,
  resources,
}: Deployment): Row[] => {
  // CloudFormation gives the tags of the stack to its resources.
  const created = { StringEquals: { 'aws:RequestTag/application': stack } };
  const own = { StringEquals: { 'aws:ResourceTag/application': stack } };
  const bound = { StringEquals: { 'iam:PermissionsBoundary': `arn:aws:iam::${account}:policy/${boundary}` } };
  const linked = { StringEquals: { 'iam:AWSServiceName': LINKED } };
  const consumed = {
    ArnLike: { 'lambda:FunctionArn': `arn:aws:lambda:${region}:${account}:function:${stack}-*` },
  };
  const passed = { StringEquals: { 'iam:PassedToService': PASSED_TO } };
  const api = (path: string) => `arn:aws:apigateway:${region}::/${path}`;
  const roles = `arn:aws:iam::${account}:role`;
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const secrets = ofType('AWS::SecretsManager::Secret').map(
    ({ logicalId }) => `secretsmanager:secret:${logicalId}-*`,
  );
  const zones = ofType('AWS::Route53::RecordSet').map(
    (record) => `arn:aws:route53:::hostedzone/${record.properties.HostedZoneId}`,
  );
  const keys = new Set(JSON.stringify(resources.map(({ properties }) => properties)).match(KEY_ARN));
  return [
    ['ApiGateway', 'apigateway:*', ['account', 'restapis', 'restapis/*', 'tags/*'].map(api).join(' ')],
    ['ApiGateway::DomainName', 'apigateway:*', `${api('domainnames')} ${api('domainnames/*')}`],
    [
      'ApiGateway::DomainName',
      'iam:CreateServiceLinkedRole',
      `${roles}/aws-service-role/${LINKED}/*`,
      linked,
    ],
    ['CertificateManager', 'acm:RequestCertificate', '*', created],
    ['CertificateManager', 'acm:AddTagsToCertificate', 'acm:certificate/*', created],
    ['CertificateManager', 'acm:DescribeCertificate ListTagsForCertificate', 'acm:certificate/*'],
    [
      'CertificateManager',
      'acm:DeleteCertificate RemoveTags* UpdateCertificateOptions',
      'acm:certificate/*',
      own,
    ],
    ['CloudTrail', 'cloudtrail:*', `cloudtrail:trail/${stack}-*`],
    ['CloudTrail', 'cloudtrail:DescribeTrails', '*'],
    [
      'CloudWatch',
      'cloudwatch:*',
      `cloudwatch:alarm:${stack}-* arn:aws:cloudwatch::${account}:dashboard/${stack}`,
    ],
    // Composite alarms are described only to a role with a permission for all.
    ['CloudWatch', 'cloudwatch:DescribeAlarms', '*'],
    ['CodeDeploy', 'codedeploy:*', `codedeploy:application:${stack}-* codedeploy:deploymentgroup:${stack}-*`],
    ['CodeDeploy', 'codedeploy:GetDeploymentConfig', 'codedeploy:deploymentconfig:CodeDeployDefault.*'],
    ['Cognito', 'cognito-idp:CreateUserPool', '*', created],
    ['Cognito', 'cognito-idp:TagResource', 'cognito-idp:userpool/*', created],
    ['Cognito', 'cognito-idp:*UserPool* ListTagsForResource UntagResource', 'cognito-idp:userpool/*', own],
    ['Cognito', 'cognito-idp:DescribeUserPoolDomain', '*'],
    ['DynamoDB', `dynamodb:${TABLES}`, `dynamodb:table/${stack}-*`],
    ['Events', 'events:*', `events:rule/${stack}-*`],
    ['IAM', `iam:${ROLES}`, `${roles}/${stack}-*`],
    // Roles get permissions only while they have the boundary.
    ['IAM', `iam:${BOUND_ROLES}`, `${roles}/${stack}-*`, bound],
    ['IAM', 'iam:PassRole', `${roles}/${stack}-*`, passed],
    ['KMS', 'kms:CreateKey', '*', created],
    ['KMS', 'kms:TagResource', 'kms:key/*', created],
    ['KMS', `kms:${KEYS}`, 'kms:key/*', own],
    // Keys of the operator, which the services use for what they create.
    ['', 'kms:CreateGrant Decrypt DescribeKey Encrypt GenerateDataKey', [...keys].join(' ')],
    ['Lambda', 'lambda:*', `lambda:function:${stack}-*`],
    ['Lambda', 'lambda:*EventSourceMapping', '*', consumed],
    ['Lambda', 'lambda:ListTags TagResource UntagResource', 'lambda:event-source-mapping:*'],
    [
      'Logs',
      `logs:${LOGS}`,
      `logs:log-group:/aws/lambda/${stack}-* logs:log-group:/aws/apigateway/${stack}-*`,
    ],
    [
      'Logs',
      `logs:${LOGS}`,
      `logs:log-group:aws-waf-logs-${stack}* logs:log-group:API-Gateway-Execution-Logs_*`,
    ],
    ['Logs', 'logs:Describe*', '*'],
    ['Route53', 'route53:ChangeResourceRecordSets GetHostedZone ListResourceRecordSets', zones.join(' ')],
    ['Route53', 'route53:GetChange', 'arn:aws:route53:::change/*'],
    ['S3', `s3:${BUCKETS} TagResource UntagResource`, `arn:aws:s3:::${stack.toLowerCase()}-*`],
    ['SecretsManager', 'secretsmanager:*', secrets.join(' ')],
    ['SecretsManager', 'secretsmanager:GetRandomPassword', '*'],
    ['SNS', 'sns:*', `sns:${stack}-*`],
    ['SQS', 'sqs:*Queue*', `sqs:${stack}-*`],
    ['WAFv2', 'wafv2:CreateWebACL TagResource', 'wafv2:regional/*', created],
    ['WAFv2', 'wafv2:*LoggingConfiguration *WebACL UntagResource', 'wafv2:regional/*', own],
    ['WAFv2', 'wafv2:AssociateWebACL DisassociateWebACL', `wafv2:regional/* ${api('restapis/*')}`],
    ['WAFv2', 'wafv2:GetWebACL* ListTagsForResource', `wafv2:regional/* ${api('restapis/*')}`],
    ['WAFv2::LoggingConfiguration', 'logs:CreateLogDelivery DeleteLogDelivery PutResourcePolicy', '*'],
    // The code of the functions, and the version with which `cdk` compares itself.
    ['', 's3:GetObject', `arn:aws:s3:::cdk-${qualifier}-assets-${account}-${region}/*`],
    ['', 'ssm:GetParameters', `ssm:parameter/cdk-bootstrap/${qualifier}/version`],
  ];
};

const toArns = ({ account, region }: Deployment, text: string): string[] =>
  text
    .split(' ')
    .map((arn) => (/^arn:|^\*$/.test(arn) ? arn : `arn:aws:${arn.replace(':', `:${region}:${account}:`)}`));

/** IAM's limit for managed policies. */
const MAX_CHARACTERS = 6144;

const toDocument = (Statement: readonly PolicyStatement[]) => ({ Version: '2012-10-17', Statement });

/** For `cdk bootstrap --cloudformation-execution-policies`: one policy, or more if it would be too long. */
export const executionPolicies = (deployment: Deployment) => {
  const policies: PolicyStatement[][] = [[]];
  for (const [types, actions, resources, Condition] of listRows(deployment)) {
    const isUsed = deployment.resources.some(({ type }) => type.startsWith(`AWS::${types}`));
    if (!isUsed || resources === '') continue;
    const statement = {
      Effect: 'Allow',
      Action: toActions(actions),
      Resource: toArns(deployment, resources),
      ...(Condition === undefined ? {} : { Condition }),
    };
    const last = policies.at(-1) ?? [];
    if (policyLength(toDocument([...last, statement])) <= MAX_CHARACTERS) last.push(statement);
    else policies.push([statement]);
  }
  return policies.map(toDocument);
};
