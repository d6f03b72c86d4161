import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ALTERNATIVES, EVERYTHING, EXISTING } from '../../../lib/evidence/configurations.ts';
import { binaryMediaTypes, gatewayResponses } from '../../../lib/resources/api-definition.ts';
import {
  apiBody,
  findResources,
  sharedTemplate,
  type Template,
  templateWith,
} from './synthesized-template.ts';

const template = await sharedTemplate();

const findStage = (of: Template) => {
  const [[, stage] = assert.fail('no stage')] = findResources(of, 'AWS::ApiGateway::Stage');
  return stage;
};

test('the access log contains the route and types of errors, never the query, the body or a message', () => {
  assert.equal(
    Object(findStage(template).Properties.AccessLogSetting).Format,
    '{"requestId":"$context.requestId","extendedRequestId":"$context.extendedRequestId",' +
      '"ip":"$context.identity.sourceIp","method":"$context.httpMethod","route":"$context.resourcePath",' +
      '"status":"$context.status","bytes":"$context.responseLength","milliseconds":"$context.responseLatency",' +
      '"error":"$context.error.responseType","integrationStatus":"$context.integrationStatus",' +
      '"integrationMilliseconds":"$context.integrationLatency"}',
  );
});

describe('request bodies', () => {
  const tooLarge = (googleFileUploads: boolean) =>
    gatewayResponses({ allowedOrigins: [], googleFileUploads }).REQUEST_TOO_LARGE?.responseTemplates[
      'application/json'
    ] ?? '';

  test("are all binary, because Google's SDKs send bytes as JSON", () => {
    assert.deepEqual(apiBody(template)['x-amazon-apigateway-binary-media-types'], ['*/*']);
    assert.match(tooLarge(true), /: about 4\.4 MB are accepted\./);
  });

  test('are text if they are JSON and the setting googleFileUploads is false', () => {
    const types = binaryMediaTypes({ googleFileUploads: false });
    for (const type of ['multipart/form-data', 'multipart/related', 'application/octet-stream', 'image/png'])
      assert.ok(types.includes(type), type);
    assert.ok(!types.includes('*/*') && !types.includes('application/json'));
    assert.match(tooLarge(false), /about 4\.4 MB of multipart form or 6 MB of JSON are accepted/);
  });
});

const setting = (HttpMethod: string, ResourcePath: string, rate: number, burst: number) => ({
  HttpMethod,
  LoggingLevel: 'ERROR',
  ResourcePath,
  ThrottlingBurstLimit: burst,
  ThrottlingRateLimit: rate,
});

const reading = (path: string, rate: number, burst: number) =>
  ['GET', 'HEAD'].map((method) => setting(method, path, rate, burst));

test('slow and public routes have their own limits, all log errors, and no method has detailed metrics', async () => {
  assert.deepEqual(findStage(await templateWith(ALTERNATIVES)).Properties.MethodSettings, [
    { ...setting('*', '/*', 1, 2), DataTraceEnabled: false, MetricsEnabled: false },
    ...reading('/~1openapi.json', 5, 6),
    ...reading('/~1v1~1files~1{file_id}~1preview', 3, 4),
    setting('POST', '/~1v1beta~1models~1{modelAction}', 3, 4),
    setting('POST', '/~1v1~1chat~1completions', 3, 4),
    setting('POST', '/~1v1~1images~1generations', 3, 4),
    setting('POST', '/~1v1~1images~1edits', 3, 4),
    setting('POST', '/~1v1~1responses', 3, 4),
    ...reading('/', 5, 6),
    ...reading('/~1console', 5, 6),
    ...reading('/~1console~1{path+}', 5, 6),
    setting('GET', '/~1v1~1console~1sign_in', 5, 6),
    setting('GET', '/~1v1~1console~1sign_in~1start', 5, 6),
    setting('GET', '/~1v1~1console~1sign_in~1callback', 5, 6),
    setting('POST', '/~1v1~1console~1sessions', 5, 6),
    setting('POST', '/~1v1~1webhook_endpoints~1{webhook_endpoint_id}~1test', 3, 4),
    ...reading('/~1s~1{token}', 5, 6),
    ...reading('/~1s~1{token}~1content', 5, 6),
    setting('POST', '/~1mcp', 3, 4),
  ]);
});

describe('the execution log', () => {
  const groups = findResources(template, 'AWS::Logs::LogGroup').filter(([id]) =>
    id.startsWith('ApiExecutionLog'),
  );

  test('belongs to the stack, so that it expires', () => {
    const [[, rest] = assert.fail('no API')] = [findResources(template, 'AWS::ApiGateway::RestApi')[0]];
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

  test('is created before the stage, which would create one that never expires', () => {
    assert.ok([findStage(template).DependsOn].flat().includes(groups[0]?.[0]));
  });
});

describe('the logging role of API Gateway, one per region', () => {
  const accountsIn = ({ Resources }: Template) =>
    Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Account').length;

  test('is set by the stack unless the configuration says otherwise', async () => {
    assert.equal(accountsIn(template), 1);
    const alone = await templateWith(ALTERNATIVES);
    assert.equal(accountsIn(alone), 0);
    assert.doesNotMatch(JSON.stringify(alone), /AmazonAPIGatewayPushToCloudWatchLogs/);
  });
});

describe('the definition of the API', () => {
  const [[, api] = assert.fail('no API')] = findResources(template, 'AWS::ApiGateway::RestApi');

  test('is one body that replaces the previous one, for a regional endpoint', () => {
    assert.equal(api.Properties.Mode, 'overwrite');
    assert.deepEqual(api.Properties.Parameters, { endpointConfigurationTypes: 'REGIONAL' });
    assert.deepEqual(api.Properties.EndpointConfiguration, { Types: ['REGIONAL'] });
    const types = Object.values(template.Resources).map(({ Type }) => Type);
    assert.deepEqual(
      types.filter((type) => /^AWS::ApiGateway::(Resource|Method|GatewayResponse)$/.test(type)),
      [],
    );
  });

  test('requires TLS 1.2 or later, in the body as in the properties', () => {
    const body = apiBody(template);
    const { SecurityPolicy, EndpointAccessMode } = api.Properties;
    assert.deepEqual([SecurityPolicy, EndpointAccessMode], ['SecurityPolicy_TLS13_1_2_2021_06', 'BASIC']);
    assert.deepEqual(
      [body['x-amazon-apigateway-security-policy'], body['x-amazon-apigateway-endpoint-access-mode']],
      [SecurityPolicy, EndpointAccessMode],
    );
  });

  test('is valid OpenAPI', async () => {
    // Greedy parameters and operations without a response are API Gateway's own.
    const body = JSON.parse(
      JSON.stringify(apiBody(template))
        .replaceAll('+}', '}')
        .replaceAll('"responses":{}', '"responses":{"default":{"description":""}}'),
    );
    const { valid, errors } = await new Validator().validate(body);
    assert.ok(valid, JSON.stringify(errors));
  });

  test('declares each path parameter', () => {
    for (const [path, operations] of Object.entries(apiBody(template).paths))
      for (const { parameters } of Object.values(operations))
        assert.deepEqual(
          Array.from(Object(parameters ?? []), ({ name }) => name),
          [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name),
        );
  });
});

describe('a web ACL', () => {
  const { webAclArn } = EXISTING;
  const findAssociation = (of: Template) =>
    (findResources(of, 'AWS::WAFv2::WebACLAssociation')[0] ?? assert.fail('no association'))[1].Properties;

  test('is absent unless it is configured', () => {
    assert.ok(Object.values(template.Resources).every(({ Type }) => !Type.startsWith('AWS::WAF')));
  });

  test('that exists is associated with the stage', async () => {
    const existing = await templateWith(EXISTING);
    const { WebACLArn, ResourceArn } = findAssociation(existing);
    assert.equal(WebACLArn, webAclArn);
    assert.match(
      JSON.stringify(ResourceArn),
      /:apigateway:.+::\/restapis\/",\{"Ref":"ApiRest\w+"\},"\/stages\/",\{"Ref":"ApiRestDeploymentStage\w+"\}/,
    );
    assert.throws(() => findResources(existing, 'AWS::WAFv2::WebACL'));
  });

  test('of the stack limits addresses and applies the core rules, but blocks no prompt, image or client', async () => {
    const own = await templateWith(EVERYTHING);
    const [[id, { Properties }] = assert.fail('no web ACL')] = findResources(own, 'AWS::WAFv2::WebACL');
    assert.deepEqual(findAssociation(own).WebACLArn, { 'Fn::GetAtt': [id, 'Arn'] });
    assert.deepEqual([Properties.Scope, Properties.DefaultAction], ['REGIONAL', { Allow: {} }]);
    const [rate, core] = Array.from(Object(Properties.Rules), (rule) => Object(rule));
    assert.deepEqual(
      [rate.Action, rate.Statement.RateBasedStatement],
      [{ Block: {} }, { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2_000_000_000 }],
    );
    const { ManagedRuleGroupStatement: group } = core.Statement;
    assert.deepEqual(
      [core.OverrideAction, group.VendorName, group.Name],
      [{ None: {} }, 'AWS', 'AWSManagedRulesCommonRuleSet'],
    );
    assert.deepEqual(
      group.RuleActionOverrides.map((override: unknown) => [
        Object(override).Name,
        Object(override).ActionToUse,
      ]),
      [
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'EC2MetaDataSSRF_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
        'SizeRestrictions_QUERYSTRING',
        'NoUserAgent_HEADER',
      ].map((name) => [name, { Count: {} }]),
    );
  });

  test('logs blocked requests without secrets, to the one name that WAF accepts, only with the setting', async () => {
    const logged = await templateWith({ waf: true, wafLogs: true });
    const [[id] = assert.fail('no web ACL')] = findResources(logged, 'AWS::WAFv2::WebACL');
    const [[, { Properties }] = assert.fail('no log')] = findResources(
      logged,
      'AWS::WAFv2::LoggingConfiguration',
    );
    const groups = findResources(logged, 'AWS::Logs::LogGroup');
    const [group] = groups.find(([name]) => name.startsWith('ApiFirewall')) ?? assert.fail('no group');
    assert.equal(logged.Resources[group]?.Properties.LogGroupName, 'aws-waf-logs-MediaGeneration');
    assert.deepEqual(Properties, {
      ResourceArn: { 'Fn::GetAtt': [id, 'Arn'] },
      LogDestinationConfigs: [
        {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':logs:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              ':log-group:',
              { Ref: group },
            ],
          ],
        },
      ],
      RedactedFields: [
        { QueryString: {} },
        { UriPath: {} },
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'x-goog-api-key' } },
        { SingleHeader: { Name: 'x-vendor-api-key' } },
        { SingleHeader: { Name: 'cookie' } },
      ],
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
    const silent = await templateWith({ waf: true });
    assert.throws(() => findResources(silent, 'AWS::WAFv2::LoggingConfiguration'));
  });

  test('keeps no samples of requests, whose query can contain a key', async () => {
    const text = JSON.stringify((await templateWith(EVERYTHING)).Resources);
    assert.deepEqual(
      [...new Set(text.match(/"SampledRequestsEnabled":\w+/g))],
      ['"SampledRequestsEnabled":false'],
    );
  });
});
