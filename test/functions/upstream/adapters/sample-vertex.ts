import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsSigner } from '../../../../functions/upstream/adapters/aws-subject-token.ts';
import { upstreamCredentials } from '../../../../functions/upstream/adapters/credentials.ts';
import { googleToken } from '../../../../functions/upstream/adapters/google-token.ts';
import { vertexClient, vertexImages } from '../../../../functions/upstream/kinds/vertex/adapter.ts';
import { startSampleVertex } from '../../../../lib/sample-generator/server.ts';

export const PLACE = { project: 'acme', location: 'us-central1' };

const KEYS = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'aws-secret', sessionToken: 'aws-session' };
const ARN = 'arn:aws:sts::123456789012:assumed-role/video-worker/session';

export const SIGNER: AwsSigner = { region: 'eu-central-1', credentials: async () => KEYS };

/** A Vertex AI that accepts the role of SIGNER. */
export const openSampleVertex = async (options: Partial<Parameters<typeof startSampleVertex>[0]> = {}) => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'sample-vertex-'));
  const sample = await startSampleVertex({
    ...PLACE,
    name: 'vertex-us',
    cacheDir,
    generationSeconds: 0,
    findAwsIdentity: (accessKeyId) => (accessKeyId === KEYS.accessKeyId ? { ...KEYS, arn: ARN } : undefined),
    ...options,
  });
  const [account] = [sample.identity.createServiceAccount()];
  const close = async () => {
    await sample.close();
    await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    ...sample,
    account,
    federation: (role?: string) =>
      sample.identity.federationConfig({
        serviceAccount: account.client_email,
        ...(role === undefined ? {} : { role }),
      }),
    paths: () => sample.requests().map(({ method, path }) => `${method} ${path}`),
    [Symbol.asyncDispose]: close,
  };
};

/** A client of it, with this credential and clock. */
export const vertexAt = (
  url: string,
  credential: object | (() => object),
  more: { signer?: AwsSigner; now?: () => number; storageUri?: string } = {},
) => {
  const readSecret = async () => JSON.stringify(typeof credential === 'function' ? credential() : credential);
  let time = 0;
  const token = googleToken({
    credential: upstreamCredentials(readSecret, ['vertex-us'], () => {
      time += 10_000;
      return time;
    })('vertex-us'),
    fetch,
    signer: more.signer ?? SIGNER,
    ...(more.now && { now: more.now }),
  });
  const address = { ...PLACE, name: 'vertex-us', baseUrl: url, storageBaseUrl: url, token, fetch };
  const options = { ...address, storageUri: more.storageUri, modelName: (model: string) => model };
  const client = { ...vertexClient(options), images: vertexImages(options) };
  return { token, client, verify: () => client.verify(20_000) };
};
