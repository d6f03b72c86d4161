import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import * as z from 'zod';
import { type FindAwsIdentity, verifyAwsSignature } from './aws-signature.ts';

/** Google's token service: issues access tokens to service accounts and to roles of AWS. */

/** An error in the format of OAuth. */
export class TokenError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Principals that a token stands for: a service account, or a role of AWS. */
type Principal = { readonly email: string } | { readonly arn: string };
type Token = { readonly principal: Principal; readonly expiresAt: number };
type Account = { readonly publicKey: KeyObject; readonly keyId: string };
type Provider = { readonly role: string | undefined };

const LIFETIME_SECONDS = 3600;
const KEY_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const SUBJECT_TOKEN_TYPE = 'urn:ietf:params:aws:token-type:aws4_request';

const header = z.object({ alg: z.literal('RS256'), kid: z.string().optional() });
const claims = z.object({
  iss: z.string(),
  aud: z.string(),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
});
const subjectToken = z.object({
  url: z.string(),
  method: z.literal('POST'),
  headers: z.array(z.object({ key: z.string(), value: z.string() })),
});

const decodeJson = <Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | undefined => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};
const fromBase64 = (text = '') => Buffer.from(text, 'base64url').toString();

const badGrant = (message: string) => new TokenError('invalid_grant', message);
/** The name of the role in `arn:aws:sts::ACCOUNT:assumed-role/ROLE/SESSION`. */
const roleName = (arn: string) => arn.split('/')[1];

type Options = {
  readonly url: () => string;
  readonly project: string;
  readonly findAwsIdentity: FindAwsIdentity;
};

export const googleIdentity = ({ url, project, findAwsIdentity }: Options) => {
  const accounts = new Map<string, Account>();
  const providers = new Map<string, Provider>();
  const tokens = new Map<string, Token>();
  /** Service accounts that no role of AWS may impersonate any more. */
  const revoked = new Set<string>();

  const issue = (principal: Principal, seconds = LIFETIME_SECONDS): string => {
    const token = `ya29.sample-${randomBytes(24).toString('base64url')}`;
    tokens.set(token, { principal, expiresAt: Date.now() + seconds * 1000 });
    return token;
  };
  const issued = (token: string) => ({
    access_token: token,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
  });

  const findToken = (token: string | undefined): Token | undefined => {
    const found = tokens.get(token ?? '');
    return found !== undefined && Date.now() < found.expiresAt ? found : undefined;
  };

  /** `POST /token`: a request that is signed with the key of a service account. */
  const tokenForKey = (form: URLSearchParams) => {
    if (form.get('grant_type') !== KEY_GRANT)
      throw new TokenError('unsupported_grant_type', 'Invalid grant_type');
    const [head = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const given = decodeJson(claims, fromBase64(payload));
    if (decodeJson(header, fromBase64(head)) === undefined || given === undefined)
      throw badGrant('Invalid JWT: Failed to parse.');
    const account = accounts.get(given.iss);
    if (account === undefined) throw badGrant('Invalid grant: account not found');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      account.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) throw badGrant('Invalid JWT Signature.');
    if (given.aud !== `${url()}/token`) throw badGrant('Invalid JWT: audience mismatch.');
    const now = Date.now() / 1000;
    if (given.iat > now + 300 || given.exp < now || given.exp - given.iat > 3600)
      throw badGrant(
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      );
    return issued(issue({ email: given.iss }));
  };

  /** `POST /v1/token`: the signed request of a role of AWS. */
  const tokenForRole = (form: URLSearchParams) => {
    const audience = form.get('audience') ?? '';
    const provider = providers.get(audience);
    if (form.get('grant_type') !== EXCHANGE_GRANT || form.get('subject_token_type') !== SUBJECT_TOKEN_TYPE)
      throw new TokenError('invalid_request', 'Invalid value for "grant_type" or "subject_token_type".');
    if (provider === undefined)
      throw new TokenError(
        'invalid_target',
        'The target service indicated by the "audience" parameters is invalid. This might either be because the pool or provider is disabled or deleted or because it doesn\'t exist.',
      );
    const request = decodeJson(subjectToken, decodeURIComponent(form.get('subject_token') ?? ''));
    const { hostname, searchParams } = new URL(request?.url ?? 'http://unknown');
    const headers = new Map(request?.headers.map(({ key, value }) => [key.toLowerCase(), value]));
    const isForAws = /^sts(?:\.[\w-]+)?\.amazonaws\.com$/.test(hostname) && headers.get('host') === hostname;
    if (request === undefined || !isForAws || searchParams.get('Action') !== 'GetCallerIdentity')
      throw badGrant('AWS request has invalid format.');
    if (headers.get('x-goog-cloud-target-resource') !== audience)
      throw badGrant('The target resource in the AWS request does not match the audience.');
    const verdict = verifyAwsSignature(
      { ...request, headers },
      ['host', 'x-goog-cloud-target-resource'],
      findAwsIdentity,
    );
    if ('problem' in verdict) throw badGrant(verdict.problem);
    if (provider.role !== undefined && roleName(verdict.arn) !== provider.role)
      throw new TokenError(
        'unauthorized_client',
        'The given credential is rejected by the attribute condition.',
      );
    return { ...issued(issue(verdict)), issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
  };

  /** Undefined if the caller may not act as the service account. */
  const impersonate = (bearer: string | undefined, email: string, seconds: number) => {
    const caller = findToken(bearer)?.principal;
    if (caller === undefined || !('arn' in caller) || !accounts.has(email) || revoked.has(email))
      return undefined;
    return {
      accessToken: issue({ email }, seconds),
      expireTime: new Date(Date.now() + seconds * 1000).toISOString(),
    };
  };

  const createServiceAccount = (name = 'sample') => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const email = `${name}@${project}.iam.gserviceaccount.com`;
    const keyId = randomBytes(20).toString('hex');
    accounts.set(email, { publicKey: createPublicKey(publicKey), keyId });
    return {
      type: 'service_account',
      project_id: project,
      private_key_id: keyId,
      private_key: privateKey,
      client_email: email,
      token_uri: `${url()}/token`,
    };
  };

  return {
    tokenForKey,
    tokenForRole,
    impersonate,
    isValid: (token: string | undefined) => findToken(token) !== undefined,

    /** Creates a service account, and returns the JSON key that Google would issue for it. */
    createServiceAccount,

    /** Creates a provider for AWS, and returns the file that gcloud would write for it. */
    federationConfig: ({ role, serviceAccount }: { role?: string; serviceAccount?: string } = {}) => {
      const pool = `projects/123456789012/locations/global/workloadIdentityPools/aws-${randomUUID().slice(0, 8)}`;
      const audience = `//iam.googleapis.com/${pool}/providers/aws`;
      providers.set(audience, { role });
      return {
        universe_domain: 'googleapis.com',
        type: 'external_account',
        audience,
        subject_token_type: SUBJECT_TOKEN_TYPE,
        token_url: `${url()}/v1/token`,
        credential_source: {
          environment_id: 'aws1',
          region_url: 'http://169.254.169.254/latest/meta-data/placement/availability-zone',
          url: 'http://169.254.169.254/latest/meta-data/iam/security-credentials',
          regional_cred_verification_url:
            'https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15',
        },
        ...(serviceAccount !== undefined && {
          service_account_impersonation_url: `${url()}/v1/projects/-/serviceAccounts/${serviceAccount}:generateAccessToken`,
        }),
      };
    },

    /** From now on no role of AWS may impersonate the service account. */
    revokeBinding: (email: string) => void revoked.add(email),
    /** All access tokens expire now. */
    expireTokens: () => tokens.clear(),
  };
};

export type GoogleIdentity = ReturnType<typeof googleIdentity>;
