import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_OPTIONS, lean } from './aws-clients.ts';

const KEEP_MILLISECONDS = 5 * 60 * 1000;

/** Reads a secret when it is first needed, and again now and then so that a new value takes effect. */
export const cachedSecret = (arn: string, keepMilliseconds = KEEP_MILLISECONDS): (() => Promise<string>) => {
  const client = lean(new SecretsManagerClient(CLIENT_OPTIONS));
  let kept: { readonly value: string; readonly until: number } | undefined;
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.value;
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    if (SecretString === undefined) throw new Error('the secret holds no text');
    kept = { value: SecretString.trim(), until: Date.now() + keepMilliseconds };
    return kept.value;
  };
};
