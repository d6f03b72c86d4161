import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import { UpstreamError } from '../domain/faults.ts';

/** The JSON documents that Google Cloud issues as credentials. */

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Keys and tokens are sent there; plain http is for tests on the same machine. */
const isSafe = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
};
const safeUrl = z.string().check(z.refine(isSafe, 'must be an https URL'));

const isPrivateKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
};

const serviceAccountSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().check(z.minLength(1)),
  private_key: z.string().check(z.refine(isPrivateKey, 'must be an RSA key in PEM format')),
  private_key_id: z.optional(z.string()),
  token_uri: z._default(safeUrl, 'https://oauth2.googleapis.com/token'),
});

/** As `gcloud iam workload-identity-pools create-cred-config --aws` writes it. */
const federationSchema = z.object({
  type: z.literal('external_account'),
  audience: z.string().check(z.minLength(1)),
  subject_token_type: z.literal('urn:ietf:params:aws:token-type:aws4_request'),
  token_url: z._default(safeUrl, 'https://sts.googleapis.com/v1/token'),
  credential_source: z.object({
    environment_id: z.literal('aws1'),
    // Only signed here; Google calls it.
    regional_cred_verification_url: z._default(
      safeUrl,
      'https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15',
    ),
  }),
  service_account_impersonation_url: z.optional(safeUrl),
  service_account_impersonation: z.optional(
    z.object({ token_lifetime_seconds: z._default(z.int().check(z.positive()), 3600) }),
  ),
});

export type ServiceAccount = z.infer<typeof serviceAccountSchema>;
export type Federation = z.infer<typeof federationSchema>;

const SCHEMAS = { service_account: serviceAccountSchema, external_account: federationSchema } as const;
const typeSchema = z.object({ type: z.enum(['service_account', 'external_account']) });

const FORM =
  'a service account key, or the file that "gcloud iam workload-identity-pools create-cred-config --aws" writes';

/** Names the fields that are wrong, but never their values. */
export const readGoogleCredential = (name: string, credential: unknown): ServiceAccount | Federation => {
  const type = typeSchema.safeParse(credential);
  if (!type.success)
    throw new UpstreamError(
      'operator',
      `The credential of the upstream "${name}" must be a JSON object: ${FORM}.`,
    );
  const parsed = SCHEMAS[type.data.type].safeParse(credential);
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map(({ path }) => path.join('.')));
  throw new UpstreamError(
    'operator',
    `The credential of the upstream "${name}" must be ${FORM}, but these fields are missing or not as Google writes them: ${[...fields].join(', ')}.`,
  );
};
