import { createHmac } from 'node:crypto';

const PREFIX = 'LOCAL_';

/** The access key id is the principal itself, encoded, so the server knows every caller without a list of them. */
export const accessKeyId = (principal: string): string =>
  `${PREFIX}${Buffer.from(principal, 'utf8').toString('base64url')}`;

export const principalOf = (keyId: string): string | undefined => {
  if (!keyId.startsWith(PREFIX)) return undefined;
  const principal = Buffer.from(keyId.slice(PREFIX.length), 'base64url').toString('utf8');
  return accessKeyId(principal) === keyId ? principal : undefined;
};

export const secretAccessKey = (masterSecret: string, keyId: string): string =>
  createHmac('sha256', masterSecret).update(keyId).digest('base64');
