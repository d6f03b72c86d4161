import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import {
  apiBody,
  findResources,
  integrations,
  sharedTemplate,
  type Template,
  templateWith,
} from './synthesized-template.ts';

const closed = await templateWith(CONFIGURATIONS.default);
const open = await sharedTemplate();

const findCorsRules = (template: Template): unknown => {
  const [[, bucket] = assert.fail('no bucket')] = findResources(template, 'AWS::S3::Bucket');
  return bucket.Properties.CorsConfiguration;
};

describe('allowed origins', () => {
  test('are empty by default', () => {
    assert.doesNotMatch(JSON.stringify(closed), /Access-Control|ALLOWED_ORIGINS/i);
  });

  test('are not needed for signed URLs of the bucket, which the console reads too', () => {
    const methods = (template: Template) =>
      Object(findCorsRules(template)).CorsRules.map(
        (rule: { AllowedMethods: unknown }) => rule.AllowedMethods,
      );
    for (const template of [closed, open])
      assert.deepEqual(methods(template).flat().toSorted(), ['GET', 'HEAD', 'PUT']);
  });

  test('add no resource', () => {
    assert.equal(Object.keys(open.Resources).length, Object.keys(closed.Resources).length);
  });

  test('are passed to every function behind the gateway, and to no other', () => {
    const uris = [...integrations(open).values()].map(({ uri }) => JSON.stringify(uri));
    for (const [id, { Properties }] of findResources(open, 'AWS::Lambda::Function')) {
      // The gateway invokes a function by its ARN or by that of its alias.
      const invoked = new RegExp(`"${id.slice(0, -8)}(Aliaslive)?[0-9A-F]{8}"`);
      const expected = uris.some((uri) => invoked.test(uri))
        ? 'https://app.example.com http://127.0.0.1:*'
        : undefined;
      assert.equal(Object(Properties.Environment).Variables?.ALLOWED_ORIGINS, expected, id);
    }
  });

  test('let pages read errors of the gateway and files behind signed URLs, never with credentials', () => {
    for (const [type, { responseParameters }] of Object.entries(
      apiBody(open)['x-amazon-apigateway-gateway-responses'],
    ))
      assert.equal(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin'], "'*'", type);
    const [rule] = Object(findCorsRules(open)).CorsRules;
    assert.deepEqual([rule.AllowedOrigins, rule.AllowedMethods], [['*'], ['GET', 'HEAD']]);
    assert.doesNotMatch(JSON.stringify(open), /allow-credentials/i);
  });
});
