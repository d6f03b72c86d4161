import { Hash } from '@smithy/core/serde';
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

class Sha256 extends Hash {
  constructor(secret?: ConstructorParameters<typeof Hash>[1]) {
    super('sha256', secret);
  }
}

/** A signed call of GetCallerIdentity, which Google sends to AWS. With the audience in it, nobody else can use it. */
export const awsSubjectToken = async (
  { region, credentials }: AwsSigner,
  { address, audience, now }: { readonly address: string; readonly audience: string; readonly now: number },
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
  const request = {
    method: 'POST',
    protocol,
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host, 'x-goog-cloud-target-resource': audience },
  };
  const { method, headers } = await signer.sign(request, { signingDate: new Date(now) });
  const { authorization: Authorization = '', ...others } = headers;
  const list = Object.entries({ Authorization, ...others }).map(([key, value]) => ({ key, value }));
  return encodeURIComponent(JSON.stringify({ url, method, headers: list }));
};
