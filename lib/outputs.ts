import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { hasPrices } from '../functions/accounts/domain/billing.ts';
import type { Resources } from './resources/resources.ts';

type Output = readonly [name: string, value: string, description: string];

/** Names that people and commands look up. Log groups have fixed names and need no output. */
export const addOutputs = (stack: Stack, resources: Resources, alarmTopicArn: string): void => {
  for (const [name, value, description] of [
    ...listAddresses(resources),
    ...listResources(resources),
    ['AlarmTopicArn', alarmTopicArn, 'The topic of the alarms'] as const,
  ])
    new CfnOutput(stack, name, { value, description });
};

const listAddresses = ({ config: { domainName, prices }, api: { rest } }: Resources): Output[] => [
  ['PriceCurrency', hasPrices(prices) ? prices.currency : 'none', 'The currency of the prices, or none'],
  ['BaseUrl', domainName === '' ? rest.url : `https://${domainName}/`, 'The address for clients; add /v1'],
  ...(rest.domainName === undefined
    ? []
    : ([
        ['DomainTarget', rest.domainName.domainNameAliasDomainName, 'Point the DNS of the domain here'],
        ['DomainTargetHostedZoneId', rest.domainName.domainNameAliasHostedZoneId, 'For an alias record'],
      ] satisfies Output[])),
];

const listResources = (resources: Resources): Output[] => {
  const { keys, sessions, members, audit, tasks, charges, accounts, reservations, usage, media } = resources;
  const { steps, webhooks, upstreams, api, functions, signIn } = resources;
  return [
    ['KeyTableName', keys.table.tableName, 'For npm run keys'],
    ['SessionTableName', sessions.table.tableName, 'For npm run console'],
    ['SignInLinks', signIn.offersLinks ? 'enabled' : 'disabled', 'Whether sign-in links can be used'],
    ['MemberTableName', members.table.tableName, 'For npm run people'],
    ['AuditTableName', audit.table.tableName, 'For npm run audit'],
    ['TaskTableName', tasks.table.tableName, 'The tasks'],
    ['ChargeTableName', charges.table.tableName, 'The charge records'],
    ['AccountTableName', accounts.table.tableName, 'For npm run accounts'],
    ['ReservationTableName', reservations.table.tableName, 'Reservations for unfinished requests'],
    ['UsageTableName', usage.table.tableName, 'Charges summed by day'],
    ['MediaBucketName', media.bucket.bucketName, 'Videos, input images and files'],
    ['StepQueueUrl', steps.queue.queueUrl, 'Steps for the video worker'],
    ['DeadLetterQueueUrl', steps.deadLetters.queueUrl, 'Steps that the video worker could not handle'],
    ['WebhookQueueUrl', webhooks.queue.queueUrl, 'Events and deliveries for the webhook worker'],
    [
      'WebhookDeadLetterQueueUrl',
      webhooks.deadLetters.queueUrl,
      'Messages that the webhook worker could not handle',
    ],
    ['WebhookDeadLetterQueueArn', webhooks.deadLetters.queueArn, 'To move these messages back'],
    ['UpstreamSecretArn', upstreams.secret.secretArn, "Store the upstream generators' credentials here"],
    ...(upstreams.state === undefined
      ? []
      : ([
          ['UpstreamTableName', upstreams.state.table.tableName, 'For npm run upstreams'],
        ] satisfies Output[])),
    ...upstreams.list.map(
      (upstream, index): Output => [
        `Upstream${index + 1}`,
        JSON.stringify(upstream),
        'For npm run upstreams',
      ],
    ),
    ['ExecutionLogGroup', api.executionLog.logGroupName, 'Errors of API Gateway'],
    ['VideoWorkerFunctionArn', functions.get('video-worker').functionArn, 'The function video-worker'],
    ['SweeperFunctionArn', functions.get('sweeper').functionArn, 'The function sweeper'],
  ];
};
