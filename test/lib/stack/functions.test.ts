import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LONGEST_CALL } from '../../../functions/platform/aws/aws-clients.ts';
import { CONFIGURATIONS, EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import {
  findResources,
  integrations,
  sharedTemplate,
  type Template,
  templateWith,
} from './synthesized-template.ts';

const template = await sharedTemplate();

/** The value of a property by function, for those that have it. */
const byFunction = (of: Template, property: string): Record<string, unknown> =>
  Object.fromEntries(
    findResources(of, 'AWS::Lambda::Function')
      .filter(([, { Properties }]) => property in Properties)
      .map(([id, { Properties }]) => [id.slice(0, -8), Properties[property]]),
  );

test('every function has a log group that is named after it and deleted with the stack', () => {
  for (const [id, { Properties }] of findResources(template, 'AWS::Lambda::Function')) {
    const name = id
      .slice(0, -8)
      .replace(/(?!^)[A-Z]/g, '-$&')
      .toLowerCase();
    const group = template.Resources[Object(Properties.LoggingConfig).LogGroup.Ref];
    assert.deepEqual(
      [group?.Properties.LogGroupName, group?.DeletionPolicy],
      [`/aws/lambda/MediaGeneration-${name}`, 'Delete'],
    );
  }
});

test('functions are traced, and may write their traces, only with the setting', async () => {
  const traced = await templateWith({ tracing: true });
  const functions = findResources(traced, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
  const writing = findResources(traced, 'AWS::IAM::Role').filter(([, role]) =>
    JSON.stringify(role).includes('"xray:PutTraceSegments"'),
  );
  for (const { TracingConfig } of functions) assert.deepEqual(TracingConfig, { Mode: 'Active' });
  assert.equal(writing.length, functions.length);
  assert.ok(!JSON.stringify(template).includes('xray'));
});

test('only the workers, which send to their own queues, may be part of a loop', () => {
  assert.deepEqual(byFunction(template, 'RecursiveLoop'), { VideoWorker: 'Allow', WebhookWorker: 'Allow' });
});

test('no function of the template may send webhooks to loopback addresses', () => {
  const environments = Object.values(byFunction(template, 'Environment'));
  assert.ok(environments.length > 10);
  assert.ok(!JSON.stringify(environments).includes('ALLOW_LOOPBACK'));
});

test('an unanswered AWS call times out before its function does', () => {
  const ours = findResources(template, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.Runtime === 'nodejs24.x',
  );
  assert.ok(ours.length > 10);
  for (const [id, { Properties }] of ours)
    assert.ok(Number(Properties.Timeout) * 1000 > LONGEST_CALL, `${id}: ${Properties.Timeout} s`);
});

for (const workerTimeoutSeconds of [60, 900])
  test(`a claim on a fetch holds for all of the ${workerTimeoutSeconds} seconds that the worker can run`, async () => {
    const chosen = workerTimeoutSeconds === 60 ? template : await templateWith(EVERYTHING);
    const [, worker] =
      findResources(chosen, 'AWS::Lambda::Function').find(([id]) => id.startsWith('VideoWorker')) ?? [];
    const { Timeout, Environment } = Object(worker?.Properties);
    const claim = Number(Environment.Variables.FETCH_CLAIM_SECONDS);
    assert.deepEqual([Timeout, claim], [workerTimeoutSeconds, workerTimeoutSeconds]);
  });

test('every event source reports partial failures and has the batch size and concurrency of its queue', () => {
  const sources = findResources(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => [
    // The name of the function, or the alias that the event source invokes.
    /"Ref":"(\w+)[0-9A-F]{8}"/.exec(JSON.stringify(Properties.FunctionName))?.[1] ?? '',
    Object(Properties.EventSourceArn)['Fn::GetAtt'][0].slice(0, -8),
    Properties.BatchSize,
    Properties.FunctionResponseTypes,
    Properties.ScalingConfig,
  ]);
  assert.deepEqual(
    sources.toSorted(([one], [other]) => one.localeCompare(other)),
    [
      ['DeadLetter', 'StepsDeadLetters', 10, ['ReportBatchItemFailures'], { MaximumConcurrency: 2 }],
      [
        'VideoWorkerAliaslive',
        'StepsQueue',
        1,
        ['ReportBatchItemFailures'],
        { MaximumConcurrency: TEST_CONFIG.workerConcurrency },
      ],
      [
        'WebhookWorker',
        'WebhooksQueue',
        1,
        ['ReportBatchItemFailures'],
        { MaximumConcurrency: TEST_CONFIG.webhookConcurrency },
      ],
    ],
  );
});

test('in a new account, the event sources leave 4 of 10 executions to requests and schedules', async () => {
  const sources = findResources(
    await templateWith(CONFIGURATIONS.default),
    'AWS::Lambda::EventSourceMapping',
  );
  const limits = sources.map(([, { Properties }]) => Object(Properties.ScalingConfig).MaximumConcurrency);
  assert.deepEqual(limits, [2, 2, 2]);
});

test('the sweeper runs every minute, the clean-up every hour, the check of the upstreams every day, none retried', () => {
  const retries = findResources(template, 'AWS::Lambda::EventInvokeConfig');
  const rules = findResources(template, 'AWS::Events::Rule').map(([, { Properties }]) => {
    const [target, ...others] = Array.from(Object(Properties.Targets));
    const { Arn, RetryPolicy } = Object(target);
    const [id] = Arn['Fn::GetAtt'];
    const [, retry] = retries.find(([, each]) => Object(each.Properties.FunctionName).Ref === id) ?? [];
    const { MaximumRetryAttempts, MaximumEventAgeInSeconds, Qualifier } = Object(retry?.Properties);
    const limits = [
      RetryPolicy.MaximumRetryAttempts,
      MaximumRetryAttempts,
      MaximumEventAgeInSeconds,
      Qualifier,
    ];
    return [id.slice(0, -8), Properties.ScheduleExpression, ...limits, ...others];
  });
  assert.deepEqual(rules.toSorted(), [
    ['CheckUpstreams', 'rate(1 day)', 0, 0, 60, '$LATEST'],
    ['RemoveLeftovers', 'rate(1 hour)', 0, 0, 60, '$LATEST'],
    ['Sweeper', 'rate(1 minute)', 0, 0, 60, '$LATEST'],
  ]);
});

test('the probe requests the address of clients every minute, only with the setting', async () => {
  const addresses = await Promise.all(
    [{}, { publicBaseUrl: 'https://cdn.example.com/media' }, EVERYTHING].map(async (config) => {
      const probed = await templateWith({ probe: true, ...config });
      const { Probe } = byFunction(probed, 'Environment');
      const rules = findResources(probed, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
      const own = rules.filter(({ Targets }) => JSON.stringify(Targets).includes('"Probe'));
      assert.deepEqual(
        own.map(({ ScheduleExpression }) => ScheduleExpression),
        ['rate(1 minute)'],
      );
      return JSON.stringify(Object(Probe).Variables.PROBE_ADDRESS);
    }),
  );
  assert.match(addresses[0] ?? '', /"Ref":"ApiRest\w+"\},"\.execute-api\..*"\/openapi\.json"\]/);
  assert.deepEqual(addresses.slice(1), [
    '"https://cdn.example.com/media/openapi.json"',
    '"https://media.example.com/openapi.json"',
  ]);
  assert.equal('Probe' in byFunction(template, 'Environment'), false);
});

describe('reserved concurrency', () => {
  const PROPERTY = 'ReservedConcurrentExecutions';

  test('is not set by default, because a new account cannot reserve any', () => {
    assert.deepEqual(byFunction(template, PROPERTY), {});
  });

  test('is set for the configured functions', async () => {
    assert.deepEqual(byFunction(await templateWith(EVERYTHING), PROPERTY), {
      CreateVideo: 20,
      VideoWorker: 1000,
      WebhookWorker: 1000,
    });
  });

  test('is refused for an unknown function', async () => {
    await assert.rejects(
      templateWith({ lambdaConcurrencyQuota: 1000, reservedConcurrency: { 'chat-completion': 5 } }),
      /ConfigError: .*reservedConcurrency.*chat-completion\b[^\n]*$/,
    );
  });
});

describe('the variables of the functions', () => {
  test('have room for dozens of origins', async () => {
    const variables = JSON.stringify(byFunction(await templateWith(EVERYTHING), 'Environment'));
    assert.match(variables, /https:\/\/customer-0\.example\.com .*https:\/\/customer-35\.example\.com/);
  });

  test('are refused beyond the limit of Lambda, with the name of the setting', async () => {
    const allowedOrigins = Array.from(
      { length: 200 },
      (_, number) => `https://customer-${number}.example.com`,
    );
    await assert.rejects(
      templateWith({ allowedOrigins }),
      /ConfigError: Configuration allowedOrigins: is too long: [^\n]* Lambda allows 4096\.$/,
    );
  });
});

describe('gradual deployment', () => {
  const GRADUAL = [
    'ChatCompletions',
    'CreateVideo',
    'EditImages',
    'GenerateContent',
    'GenerateImages',
    'VideoWorker',
  ];
  const aliases = (of: Template) =>
    findResources(of, 'AWS::Lambda::Alias').map(([id, { Properties, UpdatePolicy }]) => ({
      name: id.replace(/Aliaslive[0-9A-F]{8}$/, ''),
      alias: Properties.Name,
      updatePolicy: UpdatePolicy,
    }));

  test('gives the creating functions, the worker and the image functions a version and the alias live', () => {
    const sorted = aliases(template).toSorted((one, other) => one.name.localeCompare(other.name));
    const expected = GRADUAL.map((name) => ({ name, alias: 'live', updatePolicy: undefined }));
    assert.deepEqual(sorted, expected);
    assert.equal(findResources(template, 'AWS::Lambda::Version').length, GRADUAL.length);
    assert.ok(Object.values(template.Resources).every(({ Type }) => !Type.startsWith('AWS::CodeDeploy')));
  });

  test('invokes these functions through their alias only', () => {
    const invoked = JSON.stringify([
      [...integrations(template).values()].map(({ uri }) => uri),
      findResources(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties),
    ]);
    for (const name of GRADUAL) {
      assert.match(invoked, new RegExp(`"Ref":"${name}Aliaslive`), name);
      assert.doesNotMatch(invoked, new RegExp(`"(Ref|Fn::GetAtt)":\\[?"${name}[0-9A-F]{8}"`), name);
    }
  });

  test('with a canary, lets CodeDeploy move the aliases, and back when one alarm rings', async () => {
    const gradual = await templateWith(EVERYTHING);
    const groups = findResources(gradual, 'AWS::CodeDeploy::DeploymentGroup');
    assert.equal(groups.length, GRADUAL.length);
    for (const [id, { Properties }] of groups) {
      assert.equal(Properties.DeploymentConfigName, 'CodeDeployDefault.LambdaCanary10Percent5Minutes', id);
      assert.match(JSON.stringify(Properties.AlarmConfiguration), /"OperationsDeploymentErrors\w+"/, id);
      assert.deepEqual(
        Object(Properties.AutoRollbackConfiguration).Events,
        ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        id,
      );
    }
    const names = new Set(groups.map(([id]) => id));
    for (const { name, updatePolicy } of aliases(gradual))
      assert.ok(
        names.has(Object(updatePolicy).CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref),
        `${name} is moved by a group of the stack`,
      );
  });

  test('watches the gradual functions and their routes by the minute', async () => {
    const gradual = await templateWith(EVERYTHING);
    const [, alarm] =
      findResources(gradual, 'AWS::CloudWatch::Alarm').find(([id]) => id.includes('DeploymentErrors')) ?? [];
    const { Metrics, Threshold } = Object(alarm?.Properties);
    const watched = Array.from(Object(Metrics), ({ MetricStat }) => Object(MetricStat)).filter(
      ({ Metric }) => Metric !== undefined,
    );
    assert.equal(Threshold, 0);
    assert.ok(watched.every(({ Period }) => Period === 60));
    assert.deepEqual(watched.map(({ Metric }) => Metric.MetricName).toSorted(), [
      ...GRADUAL.map(() => 'Errors'),
      'MessagesFailed',
      'ServerErrorsImages',
      'ServerErrorsVideos',
    ]);
  });
});
