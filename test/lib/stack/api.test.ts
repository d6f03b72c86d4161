import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { resourcesOf, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

const template = await sharedTemplate();

const stageOf = (of: Template) => {
  const [[, stage] = assert.fail('no stage')] = resourcesOf(of, 'AWS::ApiGateway::Stage');
  return stage;
};

test('the access log has the route, never the query or the body', () => {
  assert.equal(
    Object(stageOf(template).Properties.AccessLogSetting).Format,
    '{"requestId":"$context.requestId","ip":"$context.identity.sourceIp","method":"$context.httpMethod",' +
      '"route":"$context.resourcePath","status":"$context.status","bytes":"$context.responseLength",' +
      '"milliseconds":"$context.responseLatency"}',
  );
});

const setting = (HttpMethod: string, ResourcePath: string, rate: number, burst: number) => ({
  DataTraceEnabled: false,
  HttpMethod,
  LoggingLevel: 'ERROR',
  MetricsEnabled: false,
  ResourcePath,
  ThrottlingBurstLimit: burst,
  ThrottlingRateLimit: rate,
});

test('the routes that wait for others have limits of their own, and nobody pays for metrics by method', async () => {
  const config = { ...TEST_CONFIG, imageThrottleRequestsPerSecond: 3, imageThrottleBurst: 4 };
  assert.deepEqual(stageOf(await templateWith(config)).Properties.MethodSettings, [
    setting('*', '/*', 1000, 1000),
    setting('POST', '/~1v1~1chat~1completions', 3, 4),
    setting('POST', '/~1v1~1images~1generations', 3, 4),
    setting('POST', '/~1v1~1images~1edits', 3, 4),
    setting('POST', '/~1v1beta~1models~1{modelAction}', 3, 4),
    setting('POST', '/~1v1~1webhook_endpoints~1{webhook_endpoint_id}~1test', 3, 4),
  ]);
});

describe('the execution log', () => {
  const groups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([id]) =>
    id.startsWith('ApiExecutionLog'),
  );

  test('is of the stack, so that it expires', () => {
    const [[, rest] = assert.fail('no API')] = [resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]];
    assert.ok(rest);
    assert.deepEqual(
      groups.map(([, { Properties, DeletionPolicy }]) => [
        JSON.stringify(Properties.LogGroupName).replace(/"ApiRest[0-9A-F]{8}"/, '"ApiRest"'),
        Properties.RetentionInDays,
        DeletionPolicy,
      ]),
      [['{"Fn::Join":["",["API-Gateway-Execution-Logs_",{"Ref":"ApiRest"},"/prod"]]}', 30, 'Delete']],
    );
  });

  test('is there before the stage, which would make one that never expires', () => {
    assert.ok([stageOf(template).DependsOn].flat().includes(groups[0]?.[0]));
  });
});

describe('the role with which API Gateway logs, one a region', () => {
  const accountsIn = ({ Resources }: Template) =>
    Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Account').length;

  test('is set by the stack, and left alone where that is configured', async () => {
    assert.equal(accountsIn(template), 1);
    const alone = await templateWith({ apiGatewayAccountRole: false });
    assert.equal(accountsIn(alone), 0);
    assert.doesNotMatch(JSON.stringify(alone), /AmazonAPIGatewayPushToCloudWatchLogs/);
  });
});
