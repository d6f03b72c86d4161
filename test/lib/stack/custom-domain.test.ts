import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALTERNATIVES, EVERYTHING, EXISTING } from '../../../lib/evidence/configurations.ts';
import { findResources, sharedTemplate, type Template, templateWith } from './synthesized-template.ts';

const DOMAIN = 'media.example.com';

const typesIn = ({ Resources }: Template, prefix: string): string[] =>
  Object.values(Resources)
    .map(({ Type }) => Type)
    .filter((type) => type.startsWith(prefix));

const findProperties = (template: Template, type: string) => {
  const [[, resource] = assert.fail(type)] = findResources(template, type);
  return resource.Properties;
};

const findOutput = ({ Outputs }: Template, name: string): string => JSON.stringify(Outputs[name]?.Value);

const generationAddress = (template: Template): unknown => {
  const [, found] =
    findResources(template, 'AWS::Lambda::Function').find(([id]) => id.startsWith('GetGeneration')) ?? [];
  return Object(found?.Properties.Environment).Variables.PUBLIC_BASE_URL;
};

/** Facts that do not depend on where the certificate comes from. */
const domainFacts = (template: Template): void => {
  test('is the only endpoint, with TLS 1.2', () => {
    assert.equal(findProperties(template, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint, true);
    const { DomainName, SecurityPolicy, EndpointConfiguration } = findProperties(
      template,
      'AWS::ApiGateway::DomainName',
    );
    assert.deepEqual(
      [DomainName, SecurityPolicy, EndpointConfiguration],
      [DOMAIN, 'TLS_1_2', { Types: ['REGIONAL'] }],
    );
    assert.equal(findProperties(template, 'AWS::ApiGateway::BasePathMapping').BasePath, undefined);
  });

  test('is the base URL in the outputs and in responses', () => {
    assert.equal(findOutput(template, 'BaseUrl'), '"https://media.example.com/"');
    assert.equal(generationAddress(template), 'https://media.example.com');
  });

  test('has an output with the target of the DNS record', () => {
    assert.match(findOutput(template, 'DomainTarget'), /"RegionalDomainName"/);
    assert.match(findOutput(template, 'DomainTargetHostedZoneId'), /"RegionalHostedZoneId"/);
  });
};

const ZONE = 'Z0123456789';
const withCertificate = await templateWith(EXISTING);
const withZone = await templateWith(EVERYTHING);

describe('a custom domain with a certificate', () => {
  const template = withCertificate;
  domainFacts(template);

  test('uses the certificate and creates no DNS records', () => {
    assert.equal(
      findProperties(template, 'AWS::ApiGateway::DomainName').RegionalCertificateArn,
      EXISTING.certificateArn,
    );
    assert.deepEqual(
      [...typesIn(template, 'AWS::Route53'), ...typesIn(template, 'AWS::CertificateManager')],
      [],
    );
  });
});

describe('a custom domain with its hosted zone', () => {
  const template = withZone;
  domainFacts(template);

  test('validates its certificate through DNS', () => {
    const { DomainName, DomainValidationOptions, ValidationMethod } = findProperties(
      template,
      'AWS::CertificateManager::Certificate',
    );
    assert.deepEqual(
      [DomainName, DomainValidationOptions, ValidationMethod],
      [DOMAIN, [{ DomainName: DOMAIN, HostedZoneId: ZONE }], 'DNS'],
    );
  });

  test('creates an alias record', () => {
    const { Name, Type, HostedZoneId, AliasTarget } = findProperties(template, 'AWS::Route53::RecordSet');
    assert.deepEqual([Name, Type, HostedZoneId], ['media.example.com.', 'A', ZONE]);
    assert.match(JSON.stringify(AliasTarget), /"RegionalDomainName".*"RegionalHostedZoneId"/);
  });
});

test('a custom domain with its zone, its certificate and another public address uses each as given', async () => {
  const template = await templateWith(ALTERNATIVES);
  assert.deepEqual(typesIn(template, 'AWS::CertificateManager'), []);
  assert.equal(typesIn(template, 'AWS::Route53').length, 1);
  assert.equal(generationAddress(template), 'https://cdn.example.com/media');
});

test('without a custom domain, the API has its default address', async () => {
  const template = await sharedTemplate();
  assert.match(findOutput(template, 'BaseUrl'), /execute-api/);
  assert.equal(findProperties(template, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint, undefined);
  assert.equal(generationAddress(template), '');
  assert.equal(template.Outputs.DomainTarget, undefined);
});
