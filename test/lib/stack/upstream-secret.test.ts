import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXISTING } from '../../../lib/evidence/configurations.ts';
import { isAllowedBy } from '../../../lib/local/control-plane/policy-simulation.ts';
import { readPolicies } from '../../support/policies.ts';
import { synthesizedWith } from '../../support/template.ts';

const KEY = EXISTING.upstreamSecretKeyArn;
const SECRETS_MANAGER = 'secretsmanager.us-east-1.amazonaws.com';

/** The policy that a new key has: it leaves the decision to the account's roles. */
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::000000000000:root' },
      Action: 'kms:*',
      Resource: '*',
    },
  ],
};

const stack = await synthesizedWith(EXISTING);
const policies = await readPolicies({
  templateFile: `${stack}.template.json`,
  assetsFile: `${stack}.assets.json`,
});

const mayDecrypt = (functionName: string, via: string): Promise<boolean> => {
  const [, own = []] = [...policies].find(([id]) => id.startsWith(functionName)) ?? [];
  return isAllowedBy(own, {
    principal: functionName,
    action: 'kms:Decrypt',
    resource: KEY,
    context: { 'kms:ViaService': via },
    resourcePolicy: KEY_POLICY,
  });
};

describe('a secret that is encrypted with a customer-managed key', () => {
  for (const name of ['VideoWorker', 'GenerateContent', 'ChatCompletions'])
    test(`can be read by ${name}, through Secrets Manager alone`, async () => {
      assert.equal(await mayDecrypt(name, SECRETS_MANAGER), true);
      assert.equal(await mayDecrypt(name, 's3.us-east-1.amazonaws.com'), false);
    });

  for (const name of ['CreateVideo', 'GetVideo', 'Sweeper', 'DeadLetter', 'UnknownRoute'])
    test(`cannot be read by ${name}`, async () => {
      assert.equal(await mayDecrypt(name, SECRETS_MANAGER), false);
    });
});
