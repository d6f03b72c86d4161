import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { CLIENT_OPTIONS, prepareClient } from './aws-clients.ts';

const KEEP_MILLISECONDS = 5 * 60 * 1000;

/** Reads the current text of a secret with every call. */
export const secretReader = (
  arn: string,
  config: SecretsManagerClientConfig = {},
): (() => Promise<string>) => {
  const client = prepareClient(new SecretsManagerClient({ ...CLIENT_OPTIONS, ...config }));
  return async () => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    if (SecretString === undefined) throw new Error('the secret holds no text');
    return SecretString.trim();
  };
};

/** Reads a secret on first use, and again at intervals so that a rotated value takes effect. */
export const cachedSecret = (arn: string, keepMilliseconds = KEEP_MILLISECONDS): (() => Promise<string>) => {
  const read = secretReader(arn);
  let kept: { readonly value: string; readonly until: number } | undefined;
  return async () => {
    if (kept !== undefined && Date.now() < kept.until) return kept.value;
    kept = { value: await read(), until: Date.now() + keepMilliseconds };
    return kept.value;
  };
};

/** Encrypts text before it is stored, so that the table or a backup of it reveals nothing. */
export type SealedText = {
  /** Text that is sealed for one place cannot be opened in another. */
  seal(text: string, place: readonly string[]): Promise<string>;
  open(sealed: string, place: readonly string[]): Promise<string>;
};

/** The first byte of sealed text: another key or cipher will use another number. */
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyFrom = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'sealed text 1', 32));
const additionalData = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place));

/** For a secret that never changes, so that it is read once. */
export const sealedWithSecret = (arn: string): SealedText =>
  sealedText(cachedSecret(arn, Number.POSITIVE_INFINITY));

export const sealedText = (secret: () => Promise<string>): SealedText => ({
  seal: async (text, place) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, keyFrom(await secret()), nonce).setAAD(additionalData(place));
    const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...encrypted]).toString('base64');
  },

  open: async (sealed, place) => {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes[0] !== VERSION) throw new Error(`sealed text has the unknown version ${bytes[0]}`);
    const [tagStart, textStart] = [1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES];
    const decipher = createDecipheriv(CIPHER, keyFrom(await secret()), bytes.subarray(1, tagStart), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(additionalData(place))
      .setAuthTag(bytes.subarray(tagStart, textStart));
    return `${decipher.update(bytes.subarray(textStart), undefined, 'utf8')}${decipher.final('utf8')}`;
  },
});
