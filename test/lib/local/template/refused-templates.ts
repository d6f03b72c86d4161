/** Templates with one fault each, which AWS refuses. */

type Refused = readonly [rule: string, title: string, template: object, reason: RegExp, stackName?: string];

const resource = (Type: string, Properties: object) => ({ Resources: { One: { Type, Properties } } });

const several = (number: number, Type: string) => ({
  Resources: Object.fromEntries(Array.from({ length: number }, (_, index) => [`R${index}`, { Type }])),
});

const policy = (characters: number) => ({ Statement: [{ Sid: 'x'.repeat(characters) }] });

const api = (paths: readonly string[], integration: object = {}) =>
  resource('AWS::ApiGateway::RestApi', {
    Body: {
      paths: Object.fromEntries(
        paths.map((path) => [path, { get: { 'x-amazon-apigateway-integration': integration } }]),
      ),
    },
  });

const lambda = (properties: object) => resource('AWS::Lambda::Function', properties);
const stage = (...MethodSettings: object[]) => resource('AWS::ApiGateway::Stage', { MethodSettings });
const alarm = (properties: object) =>
  resource('AWS::CloudWatch::Alarm', { EvaluationPeriods: 1, Period: 60, ...properties });
const filter = (transformation: object) =>
  resource('AWS::Logs::MetricFilter', {
    FilterPattern: '',
    MetricTransformations: [
      { MetricName: 'Count', MetricNamespace: 'Service', MetricValue: '1', ...transformation },
    ],
  });
const role = (properties: object) => ({
  Type: 'AWS::IAM::Role',
  Properties: { AssumeRolePolicyDocument: {}, ...properties },
});
const queuePolicy = (...Statement: object[]) =>
  resource('AWS::SQS::QueuePolicy', { PolicyDocument: { Statement } });

/** A queue that hides messages for less time than its function may take. */
const impatientQueue = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 30 } },
    Worker: { Type: 'AWS::Lambda::Function', Properties: { Timeout: 31 } },
    Live: {
      Type: 'AWS::Lambda::Alias',
      Properties: { FunctionName: { Ref: 'Worker' }, Name: 'live' },
    },
    Source: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] }, FunctionName: { Ref: 'Live' } },
    },
  },
};

/** Two documents for one role. */
const dividedPolicies = {
  Resources: {
    Role: role({ Policies: [{ PolicyDocument: policy(5200) }] }),
    More: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: policy(5200) },
    },
  },
};

const manyPermissions = {
  Resources: {
    Worker: { Type: 'AWS::Lambda::Function' },
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `Permission${index}`,
        {
          Type: 'AWS::Lambda::Permission',
          Properties: { FunctionName: { Ref: 'Worker' }, SourceArn: 'x'.repeat(200) },
        },
      ]),
    ),
  },
};

const TEMPLATES: readonly Refused[] = [
  [
    'template size',
    'a megabyte',
    resource('X', { Text: 'x'.repeat(1_000_000) }),
    /bytes of the template: 1000/,
  ],
  ['template size', '501 resources', several(501, 'X'), /resources: 501, and the limit is 500/],
  [
    'template size',
    '201 outputs',
    { Outputs: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`O${index}`, { Value: '' }])) },
    /outputs: 201, and the limit is 200/,
  ],
  ['template size', 'a long description', { Description: 'é'.repeat(513) }, /description: 1026/],
  ['logical ids', 'a hyphen', { Resources: { 'One-Two': { Type: 'X' } } }, /One-Two: a logical id/],
  [
    'references',
    'a missing resource',
    resource('X', { Name: { Ref: 'Two' } }),
    /One: One.Name refers to Two/,
  ],
  [
    'references',
    'an attribute of a missing resource',
    resource('X', { Name: { 'Fn::GetAtt': ['Two', 'Arn'] } }),
    /One: One.Name refers to Two.Arn/,
  ],
  ['circular dependencies', 'itself', resource('X', { Name: { Ref: 'One' } }), /One → One/],
  [
    'names',
    'a function with 65 characters',
    lambda({ FunctionName: 'f'.repeat(65) }),
    /FunctionName has 65 characters, and the limit is 64/,
  ],
  [
    'names',
    'a log group with a space',
    resource('AWS::Logs::LogGroup', { LogGroupName: 'a b' }),
    /not valid/,
  ],
  [
    'generated names',
    'a stack with 25 characters and a long logical id',
    { Resources: { ['R'.repeat(40)]: role({}) } },
    /cuts its name to M{24}-R{25}-X{13}, which does not begin with M{25}-/,
    'M'.repeat(25),
  ],
];

const SERVICES: readonly Refused[] = [
  ['function size', '901 seconds', lambda({ Timeout: 901 }), /One: Timeout: /],
  [
    'function environment',
    '4,097 bytes',
    lambda({ Environment: { Variables: { AB: 'x'.repeat(4095) } } }),
    /4096/,
  ],
  [
    'function variables',
    'a reserved name',
    lambda({ Environment: { Variables: { AWS_REGION: 'x' } } }),
    /Variables: include one that Lambda reserves/,
  ],
  [
    'event source',
    'a single consumer',
    resource('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 1 } }),
    /MaximumConcurrency/,
  ],
  [
    'event source',
    'a batch of 11',
    resource('AWS::Lambda::EventSourceMapping', { BatchSize: 11 }),
    /batching window/,
  ],
  [
    'asynchronous invocations',
    'three retries',
    resource('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 3 }),
    /MaximumRetryAttempts/,
  ],
  [
    'visibility timeout',
    'less than the function takes',
    impatientQueue,
    /Source: Queue visibility timeout: 30 seconds is less than Function timeout: 31 seconds/,
  ],
  [
    'reserved concurrency',
    '10 of a new account',
    lambda({ ReservedConcurrentExecutions: 5 }),
    /UnreservedConcurrentExecution to 5/,
  ],
  [
    'queue',
    'hidden for more than 12 hours',
    resource('AWS::SQS::Queue', { VisibilityTimeout: 43_201 }),
    /VisibilityTimeout/,
  ],
  [
    'queue',
    'a FIFO queue without .fifo',
    resource('AWS::SQS::Queue', { FifoQueue: true, QueueName: 'work' }),
    /\.fifo/,
  ],
  [
    'queue',
    'two encryptions',
    resource('AWS::SQS::Queue', { KmsMasterKeyId: 'alias/a', SqsManagedSseEnabled: true }),
    /only one of them/,
  ],
  [
    'table keys',
    'an attribute of no key',
    resource('AWS::DynamoDB::Table', {
      AttributeDefinitions: [{ AttributeName: 'id' }, { AttributeName: 'more' }],
      KeySchema: [{ AttributeName: 'id' }],
    }),
    /other attributes/,
  ],
  [
    'table keys',
    'a key of an index without a definition',
    resource('AWS::DynamoDB::Table', {
      AttributeDefinitions: [{ AttributeName: 'id' }],
      KeySchema: [{ AttributeName: 'id' }],
      GlobalSecondaryIndexes: [{ KeySchema: [{ AttributeName: 'more' }] }],
    }),
    /other attributes/,
  ],
  [
    'schedule',
    'one minutes',
    resource('AWS::Events::Rule', { Targets: [{}], ScheduleExpression: 'rate(1 minutes)' }),
    /ScheduleExpression/,
  ],
  ['schedule', 'six targets', resource('AWS::Events::Rule', { Targets: Array(6).fill({}) }), /Targets/],
  [
    'topic',
    'a display name of 101 characters',
    resource('AWS::SNS::Topic', { DisplayName: 'x'.repeat(101) }),
    /DisplayName/,
  ],
  [
    'deployment alarms',
    'eleven',
    resource('AWS::CodeDeploy::DeploymentGroup', { AlarmConfiguration: { Alarms: Array(11).fill({}) } }),
    /Alarms/,
  ],
  [
    'web ACL',
    'a description with a bracket',
    resource('AWS::WAFv2::WebACL', { Description: 'Protects (all)' }),
    /Description/,
  ],
  [
    'sign-in domain',
    'a reserved word',
    resource('AWS::Cognito::UserPoolDomain', { Domain: 'my-aws' }),
    /reserved word/,
  ],
];

const MONITORING: readonly Refused[] = [
  ['alarm', 'a period of 90 seconds', alarm({ Period: 90 }), /Period: is not a whole number of minutes/],
  ['alarm', 'more than a day', alarm({ EvaluationPeriods: 1441 }), /further back/],
  ['alarm', 'more data points than periods', alarm({ DatapointsToAlarm: 2 }), /more data points/],
  [
    'composite alarm',
    'a rule of 10,241 characters',
    resource('AWS::CloudWatch::CompositeAlarm', { AlarmRule: 'x'.repeat(10_241) }),
    /AlarmRule/,
  ],
  [
    'composite alarm',
    '101 alarms',
    resource('AWS::CloudWatch::CompositeAlarm', { AlarmRule: 'ALARM(a)'.repeat(101) }),
    /100 alarms/,
  ],
  [
    'dashboard',
    'a widget beyond the columns',
    resource('AWS::CloudWatch::Dashboard', {
      DashboardBody: '{"widgets":[{"x":20,"width":6,"height":6,"properties":{}}]}',
    }),
    /24 columns/,
  ],
  [
    'log group',
    'a retention of eight days',
    resource('AWS::Logs::LogGroup', { RetentionInDays: 8 }),
    /RetentionInDays/,
  ],
  [
    'metric filter',
    'a default value with dimensions',
    filter({ DefaultValue: 0, Dimensions: [{}] }),
    /both a default value/,
  ],
  ['metric filter', 'four dimensions', filter({ Dimensions: Array(4).fill({}) }), /Dimensions/],
];

const API: readonly Refused[] = [
  [
    'API path',
    'a parameter with a suffix',
    api(['/things/{id}:action']),
    /does not accept the path \/things\/\{id\}:action/,
  ],
  [
    'sibling path variables',
    'two names below one resource',
    api(['/things/{id}', '/things/{name}/colour']),
    /only one path variable below \/things/,
  ],
  [
    'API resources',
    '301',
    api(Array.from({ length: 301 }, (_, index) => `/r${index}`)),
    /at most 300 resources/,
  ],
  [
    'integration timeout',
    'a buffered response of 30 seconds',
    api(['/a'], { timeoutInMillis: 30_000 }),
    /\/a: .* at most 29 seconds/,
  ],
  [
    'integration timeout',
    'a stream of more than 15 minutes',
    api(['/a'], { timeoutInMillis: 900_001, responseTransferMode: 'STREAM' }),
    /at most 900 seconds/,
  ],
  [
    'stage settings',
    'the method ANY',
    stage({ HttpMethod: 'ANY', ResourcePath: '/~1a' }),
    /MethodSettings\.0\.HttpMethod/,
  ],
  [
    'stage settings',
    'every method of one path',
    stage({ HttpMethod: '*', ResourcePath: '/~1a' }),
    /for both the method and the path/,
  ],
  [
    'stage patch operations',
    '81',
    stage(
      ...Array.from({ length: 81 }, (_, index) => ({
        HttpMethod: 'GET',
        ResourcePath: `/~1r${index}`,
        ThrottlingRateLimit: 1,
      })),
    ),
    /take 81 patch operations, and 80 are safe/,
  ],
  [
    'region of other resources',
    'a certificate',
    resource('AWS::ApiGateway::DomainName', {
      RegionalCertificateArn: 'arn:aws:acm:eu-west-1:1:certificate/x',
    }),
    /is in eu-west-1/,
  ],
];

const POLICIES: readonly Refused[] = [
  [
    'role',
    'a description with a dash',
    { Resources: { One: role({ Description: 'a – b' }) } },
    /Description/,
  ],
  [
    'role',
    'a trust policy of 2,049 characters',
    { Resources: { One: role({ AssumeRolePolicyDocument: policy(2049) }) } },
    /limit is 2048/,
  ],
  [
    'inline policies',
    'two documents with more than 10,240 characters',
    dividedPolicies,
    /Role: its inline policies have 10\d\d\d characters/,
  ],
  [
    'attached policies',
    'eleven',
    { Resources: { One: role({ ManagedPolicyArns: Array(11).fill('arn') }) } },
    /11 managed policies/,
  ],
  [
    'managed policy',
    '6,145 characters',
    resource('AWS::IAM::ManagedPolicy', { PolicyDocument: policy(6145) }),
    /limit is 6144/,
  ],
  [
    'bucket policy',
    '20,481 bytes',
    resource('AWS::S3::BucketPolicy', { PolicyDocument: policy(20_481) }),
    /limit is 20480/,
  ],
  ['queue policy length', '8,193 bytes', queuePolicy({ Sid: 'x'.repeat(8193) }), /limit is 8192/],
  [
    'queue policy statements',
    'two queues in one statement',
    queuePolicy({ Action: 'sqs:*', Resource: ['arn:aws:sqs:::a', 'arn:aws:sqs:::b'] }),
    /names one queue/,
  ],
  [
    'queue policy statements',
    'eight actions',
    queuePolicy({ Action: Array(8).fill('sqs:SendMessage') }),
    /Action/,
  ],
  [
    'function policy',
    'a hundred long permissions',
    manyPermissions,
    /policy of its function has \d{5} bytes/,
  ],
];

export const REFUSED: readonly Refused[] = [...TEMPLATES, ...SERVICES, ...MONITORING, ...API, ...POLICIES];
