import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALTERNATIVES, EVERYTHING } from '../../../lib/evidence/configurations.ts';
import { findResources, templateWith } from './synthesized-template.ts';

const template = await templateWith(EVERYTHING);

describe('a user pool of the stack', () => {
  const only = (type: string) => {
    const [[id, resource] = assert.fail(type), ...others] = findResources(template, type);
    assert.deepEqual(others, []);
    return { id, resource };
  };

  test('is kept, and its people are created by an operator', () => {
    const { resource } = only('AWS::Cognito::UserPool');
    assert.equal(resource.DeletionPolicy, 'Retain');
    assert.deepEqual(
      [resource.Properties.DeletionProtection, resource.Properties.AdminCreateUserConfig],
      ['ACTIVE', { AllowAdminCreateUserOnly: true }],
    );
  });

  test('has a public client that leads back to the console only', () => {
    const { Properties } = only('AWS::Cognito::UserPoolClient').resource;
    assert.deepEqual(
      [
        Properties.GenerateSecret,
        Properties.AllowedOAuthFlows,
        Properties.CallbackURLs,
        Properties.LogoutURLs,
        Properties.RefreshTokenValidity,
      ],
      [
        false,
        ['code'],
        ['https://media.example.com/v1/console/sign_in/callback'],
        ['https://media.example.com/console/sign-in'],
        7 * 24 * 60,
      ],
    );
    assert.equal(only('AWS::Cognito::UserPoolDomain').resource.Properties.Domain, 'acme-media');
  });

  test('is the issuer of the functions that sign in and renew', () => {
    const pool = only('AWS::Cognito::UserPool').id;
    const issuers = findResources(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
      const issuer = Object(Object(Properties.Environment).Variables).SIGN_IN_ISSUER;
      return issuer === undefined ? [] : [issuer];
    });
    const issuer = { 'Fn::GetAtt': [pool, 'ProviderURL'] };
    assert.deepEqual(issuers, [issuer, issuer]);
  });
});

test('only the functions that sign in and renew may read the secret of the client', async () => {
  const roles = findResources(await templateWith(ALTERNATIVES), 'AWS::IAM::Role');
  const readers = (text: string) =>
    roles.filter(([, role]) => JSON.stringify(role).includes(text)).map(([id]) => id.slice(0, -8));
  for (const arn of [
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:sign-in-AbCdEf',
    'arn:aws:kms:eu-west-1:123456789012:key/22222222-0000-0000-0000-000000000000',
  ])
    assert.deepEqual(readers(arn).toSorted(), ['RenewSessionRole', 'SignInRole']);
});
