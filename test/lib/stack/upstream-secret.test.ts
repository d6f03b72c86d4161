import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { readPolicies } from '../../support/policies.ts';
import { synthesizedWith } from '../../support/template.ts';
import { EXISTING } from './configurations.ts';

const KEY = EXISTING.upstreamSecretKeyArn;
const SECRETS_MANAGER = 'secretsmanager.us-east-1.amazonaws.com';

/** The policy that a new key has: it leaves the decision to the account's roles. */
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::123456789012:root' },
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

const mayDecrypt = async (functionName: string, via: string): Promise<boolean> => {
  const [, own = []] = [...policies].find(([id]) => id.startsWith(functionName)) ?? [];
  const result = await runSimulation(
    {
      identityPolicies: own.map((policy, position) => ({ name: `policy${position}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: KEY_POLICY,
      request: {
        action: 'kms:Decrypt',
        principal: `arn:aws:iam::123456789012:role/${functionName}`,
        resource: { resource: KEY, accountId: '123456789012' },
        contextVariables: { 'kms:ViaService': via },
      },
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(result.errors.message);
  return result.overallResult === 'Allowed';
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
