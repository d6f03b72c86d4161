import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { defaultProvider } from '../../platform/aws/sdk-replacements.ts';

type AwsCredentials = Awaited<ReturnType<ReturnType<typeof defaultProvider>>>;

/** The role with which requests to AWS are signed. */
export type AwsSigner = {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
};

/** Lambda provides the region and the credentials of the function's role in the environment. */
export const lambdaSigner = (): AwsSigner => ({
  region: process.env.AWS_REGION ?? 'us-east-1',
  credentials: defaultProvider(),
});

const toKey = (secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array => {
  if (typeof secret === 'string') return secret;
  if (secret instanceof ArrayBuffer) return new Uint8Array(secret);
  return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
};

/** Node's SHA-256 with the interface that the SDK's signer expects. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('this hash cannot be reset');
  }
}

/**
 * Proves the identity of this function to Google: a signed request for AWS's GetCallerIdentity, which Google sends to AWS.
 * The signature includes the audience, so that nobody else can use the request.
 */
export const awsSubjectToken = async (
  { region, credentials }: AwsSigner,
  address: string,
  audience: string,
): Promise<string> => {
  const url = address.replaceAll('{region}', region);
  const { protocol, hostname, host, pathname, searchParams } = new URL(url);
  // Google rejects the header with the hash of the body that the signer would add.
  const signer = new SignatureV4({
    credentials,
    region,
    service: 'sts',
    sha256: Sha256,
    applyChecksum: false,
  });
  const { method, headers } = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host, 'x-goog-cloud-target-resource': audience },
  });
  const { authorization: Authorization = '', ...others } = headers;
  const list = Object.entries({ Authorization, ...others }).map(([key, value]) => ({ key, value }));
  return encodeURIComponent(JSON.stringify({ url, method, headers: list }));
};
