import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEndpoint } from './webhooks.ts';

/** Signs as Standard Webhooks specifies, so that the SDKs of our clients can verify. */

const PREFIX = 'whsec_';

export const newSigningSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** Enough to tell two secrets apart without revealing them. */
export const toSecretHint = (secret: string): string => `${PREFIX}…${secret.slice(-5)}`;

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(PREFIX, ''), 'base64'))
    .update(content)
    .digest('base64')}`;

type Secrets = Pick<WebhookEndpoint, 'secret' | 'oldSecret'>;
type Message = { readonly id: string; readonly body: string };

/** Also signs with the old secret while it is kept. */
const secretsAt = ({ secret, oldSecret }: Secrets, now: number): readonly string[] =>
  oldSecret !== undefined && now < oldSecret.until ? [secret, oldSecret.value] : [secret];

/** A receiver accepts a message if one of the signatures is right. */
export const signatureHeaders = (signers: readonly Secrets[], { id, body }: Message, now: number) => {
  const timestamp = String(Math.floor(now / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const secrets = signers.flatMap((signer) => secretsAt(signer, now));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => sign(each, content)).join(' '),
  };
};
