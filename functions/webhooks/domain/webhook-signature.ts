import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEndpoint } from './webhooks.ts';

/** As the SDKs read it: a prefix, and the Base64 of the key. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Tells two secrets apart, and gives neither away. */
export const hintOf = (secret: string): string => `whsec_…${secret.slice(-5)}`;

/** The scheme of Standard Webhooks, which the SDKs of our clients verify. */
const PREFIX = /^whsec_/;

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(PREFIX, ''), 'base64'))
    .update(content)
    .digest('base64')}`;

type Secrets = Pick<WebhookEndpoint, 'secret' | 'oldSecret'>;
type Message = { readonly id: string; readonly body: string };

/** The headers of a message; while an old secret is kept, whoever still has it can verify too. */
export const signatureHeaders = ({ secret, oldSecret }: Secrets, { id, body }: Message, now: number) => {
  const timestamp = String(Math.floor(now / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const secrets = oldSecret !== undefined && now < oldSecret.until ? [secret, oldSecret.value] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => sign(each, content)).join(' '),
  };
};
