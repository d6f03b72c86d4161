import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AWS_RULES, assertAccepted, findRefusals } from '../../../../lib/local/template/aws-rules.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { REFUSED } from './refused-templates.ts';

const HOME = { region: 'us-east-1', accountId: '123456789012', stackName: 'Stack' };

const refusals = (template: object, environment = HOME) =>
  findRefusals(templateSchema.parse({ Resources: {}, ...template }), environment);

describe('AWS refuses', () => {
  for (const [rule, title, template, reason, stackName = 'Stack'] of REFUSED)
    test(`${rule}: ${title}`, () => {
      const found = refusals(template, { ...HOME, stackName });
      assert.deepEqual([...new Set(found.map((refusal) => refusal.rule))], [rule], JSON.stringify(found));
      assert.match(found.map(({ logicalId, reason: given }) => `${logicalId}: ${given}`).join('\n'), reason);
    });

  test('what breaks any of the rules, each of which has a source', () => {
    const tried = new Set(REFUSED.map(([rule]) => rule));
    const untried = AWS_RULES.filter(({ name, source }) => !tried.has(name) || source.length < 5);
    assert.deepEqual(untried, []);
  });
});

test('AWS accepts what is just within its limits', () => {
  const Variables = { AB: 'x'.repeat(4094) };
  const settings = Array.from({ length: 40 }, (_, number) => ({
    HttpMethod: 'GET',
    ResourcePath: `/~1r${number}`,
    ThrottlingRateLimit: 1,
    ThrottlingBurstLimit: 1,
  }));
  const Resources = {
    Lambda: {
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: 'f'.repeat(64), Timeout: 900, Environment: { Variables } },
    },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { MethodSettings: settings } },
    Certified: {
      Type: 'AWS::ApiGateway::DomainName',
      Properties: { RegionalCertificateArn: { 'Fn::Sub': `arn:aws:acm:\${AWS::Region}:1:certificate/x` } },
    },
  };
  assert.deepEqual(refusals({ Resources }), []);
});

test('the report names each resource, the reason and its source', () => {
  const Resources = { Slow: { Type: 'AWS::Lambda::Function', Properties: { Timeout: 901 } } };
  assert.throws(() => assertAccepted(templateSchema.parse({ Resources }), HOME), {
    name: 'LocalCloudError',
    message:
      'AWS would refuse the stack. Slow: Timeout: Too big: expected number to be <=900 (Lambda quotas: timeout, memory, layers)',
  });
});
