import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiBody, findResources, integrations, type Template, templateWith } from './synthesized-template.ts';

const closed = await templateWith({});
const open = await templateWith({ allowedOrigins: ['https://app.example.com', 'http://localhost:*'] });

const findCorsRules = (template: Template): unknown => {
  const [[, bucket] = assert.fail('no bucket')] = findResources(template, 'AWS::S3::Bucket');
  return bucket.Properties.CorsConfiguration;
};

describe('allowed origins', () => {
  test('are none unless configured', () => {
    assert.doesNotMatch(JSON.stringify(closed), /Access-Control|ALLOWED_ORIGINS/i);
  });

  test('are not needed for uploads by signed address, and for nothing else of the bucket', () => {
    const methods = (template: Template) =>
      Object(findCorsRules(template)).CorsRules.map(
        (rule: { AllowedMethods: unknown }) => rule.AllowedMethods,
      );
    assert.deepEqual(methods(closed), [['PUT']]);
    assert.deepEqual(methods(open), [['GET', 'HEAD'], ['PUT']]);
  });

  test('cost no resource', () => {
    assert.equal(Object.keys(open.Resources).length, Object.keys(closed.Resources).length);
  });

  test('let preflights through with the limits of the stage; without them, preflights are requests without a key', () => {
    const limited = [closed, open].map((template) => {
      const [[, stage] = assert.fail('no stage')] = findResources(template, 'AWS::ApiGateway::Stage');
      return JSON.stringify(stage.Properties.MethodSettings).includes('"OPTIONS"');
    });
    assert.deepEqual(limited, [true, false]);
  });

  test('are known to every function behind the gateway, and to no other', () => {
    const uris = [...integrations(open).values()].map(({ uri }) => JSON.stringify(uri));
    for (const [id, { Properties }] of findResources(open, 'AWS::Lambda::Function')) {
      // The gateway invokes a function by its ARN or by that of its alias.
      const invoked = new RegExp(`"${id.slice(0, -8)}(Aliaslive)?[0-9A-F]{8}"`);
      const expected = uris.some((uri) => invoked.test(uri))
        ? 'https://app.example.com http://localhost:*'
        : undefined;
      assert.equal(Object(Properties.Environment).Variables?.ALLOWED_ORIGINS, expected, id);
    }
  });

  test('let pages read what the gateway refuses, and the file behind a signed address, never with credentials', () => {
    for (const [type, { responseParameters }] of Object.entries(
      apiBody(open)['x-amazon-apigateway-gateway-responses'],
    ))
      assert.equal(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin'], "'*'", type);
    const [rule] = Object(findCorsRules(open)).CorsRules;
    assert.deepEqual([rule.AllowedOrigins, rule.AllowedMethods], [['*'], ['GET', 'HEAD']]);
    assert.doesNotMatch(JSON.stringify(open), /allow-credentials/i);
  });
});
