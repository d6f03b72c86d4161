import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resourcesOf, type Template, templateWith } from './synthesized-template.ts';

const closed = await templateWith({});
const open = await templateWith({ allowedOrigins: ['https://app.example.com', 'http://localhost:*'] });

const corsOf = (template: Template): unknown => {
  const [[, bucket] = assert.fail('no bucket')] = resourcesOf(template, 'AWS::S3::Bucket');
  return bucket.Properties.CorsConfiguration;
};

describe('allowed origins', () => {
  test('are none unless configured', () => {
    assert.doesNotMatch(JSON.stringify(closed), /Access-Control|ALLOWED_ORIGINS/i);
  });

  test('are not needed for uploads by signed address, and for nothing else of the bucket', () => {
    const methods = (template: Template) =>
      Object(corsOf(template)).CorsRules.map((rule: { AllowedMethods: unknown }) => rule.AllowedMethods);
    assert.deepEqual(methods(closed), [['PUT']]);
    assert.deepEqual(methods(open), [['GET', 'HEAD'], ['PUT']]);
  });

  test('cost no resource', () => {
    assert.equal(Object.keys(open.Resources).length, Object.keys(closed.Resources).length);
  });

  test('are known to every function behind the gateway, and to no other', () => {
    const uris = resourcesOf(open, 'AWS::ApiGateway::Method').map(([, method]) =>
      JSON.stringify(method.Properties.Integration),
    );
    for (const [id, { Properties }] of resourcesOf(open, 'AWS::Lambda::Function')) {
      const expected = uris.some((uri) => uri.includes(id))
        ? 'https://app.example.com http://localhost:*'
        : undefined;
      assert.equal(Object(Properties.Environment).Variables?.ALLOWED_ORIGINS, expected, id);
    }
  });

  test('let pages read what the gateway refuses, and the file behind a signed address, never with credentials', () => {
    for (const [id, { Properties }] of resourcesOf(open, 'AWS::ApiGateway::GatewayResponse'))
      assert.equal(
        Object(Properties.ResponseParameters)['gatewayresponse.header.Access-Control-Allow-Origin'],
        "'*'",
        id,
      );
    const [rule] = Object(corsOf(open)).CorsRules;
    assert.deepEqual([rule.AllowedOrigins, rule.AllowedMethods], [['*'], ['GET', 'HEAD']]);
    assert.doesNotMatch(JSON.stringify(open), /allow-credentials/i);
  });
});
