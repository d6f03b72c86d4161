import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { hasPrices } from '../functions/accounts/domain/billing.ts';
import type { Resources } from './resources/resources.ts';

type Output = readonly [name: string, value: string, description: string];

/** What people and commands look up: a stack has more resources than one listing shows. */
export const addOutputs = (stack: Stack, resources: Resources, alarmTopicArn: string): void => {
  const all = [
    ...addressesOf(resources),
    ...storesOf(resources),
    ...functionsOf(resources),
    ['AlarmTopicArn', alarmTopicArn, 'Where alarms go'] as const,
  ];
  for (const [name, value, description] of all) new CfnOutput(stack, name, { value, description });
};

const addressesOf = ({ config: { domainName, prices }, api: { rest } }: Resources): Output[] => [
  ['PriceCurrency', hasPrices(prices) ? prices.currency : 'none', 'Of the prices; none where there are none'],
  ['BaseUrl', domainName === '' ? rest.url : `https://${domainName}/`, 'Clients use this address and /v1'],
  ...(rest.domainName === undefined
    ? []
    : ([
        ['DomainTarget', rest.domainName.domainNameAliasDomainName, 'Point the DNS of the domain here'],
        ['DomainTargetHostedZoneId', rest.domainName.domainNameAliasHostedZoneId, 'For an alias record'],
      ] satisfies Output[])),
];

const storesOf = (resources: Resources): Output[] => {
  const { keys, sessions, tasks, charges, accounts, reservations, usage, media } = resources;
  const { steps, webhooks, upstream, api } = resources;
  return [
    ['KeyTableName', keys.table.tableName, 'For npm run keys'],
    ['SessionTableName', sessions.table.tableName, 'For npm run console'],
    ['TaskTableName', tasks.table.tableName, 'The tasks'],
    ['ChargeTableName', charges.table.tableName, 'The charge records'],
    ['AccountTableName', accounts.table.tableName, 'For npm run accounts'],
    ['ReservationTableName', reservations.table.tableName, 'What is reserved for unfinished requests'],
    ['UsageTableName', usage.table.tableName, 'The charges summed by day'],
    ['MediaBucketName', media.bucket.bucketName, 'Videos and input images'],
    ['StepQueueUrl', steps.queue.queueUrl, 'Steps that wait for the worker'],
    ['DeadLetterQueueUrl', steps.deadLetters.queueUrl, 'Steps that the worker could not do'],
    ['WebhookQueueUrl', webhooks.queue.queueUrl, 'Events and tries that wait for the webhook worker'],
    [
      'WebhookDeadLetterQueueUrl',
      webhooks.deadLetters.queueUrl,
      'Messages that the webhook worker could not handle',
    ],
    ['WebhookDeadLetterQueueArn', webhooks.deadLetters.queueArn, 'To put them back'],
    ['UpstreamSecretArn', upstream.secret.secretArn, "Put the upstream generator's API key here"],
    ['AccessLogGroup', api.accessLog.logGroupName, 'A line a request'],
    ['ExecutionLogGroup', api.executionLog.logGroupName, "The gateway's own errors"],
  ];
};

/** The functions that an operator looks at by themselves; the logs of all of them. */
const CALLED_BY_HAND: readonly string[] = ['video-worker', 'sweeper'];

const functionsOf = ({ functions: { all } }: Resources): Output[] =>
  [...all].flatMap(([name, { node, logGroup, functionArn }]): Output[] => [
    [`${node.id}LogGroup`, logGroup.logGroupName, `Logs of ${name}`],
    ...(CALLED_BY_HAND.includes(name)
      ? [[`${node.id}FunctionArn`, functionArn, `The function ${name}`] as const]
      : []),
  ]);
