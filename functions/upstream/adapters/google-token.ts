import { sign } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/domain/log-events.ts';
import { UpstreamError } from '../domain/faults.ts';
import { type AwsSigner, awsSubjectToken } from './aws-subject-token.ts';
import type { Credential } from './credentials.ts';
import { type Federation, readGoogleCredential, type ServiceAccount } from './google-credential.ts';
import { lenient } from './lenient.ts';
import { readTokenError, type TokenStep } from './token-errors.ts';
import { networkError, readLimited } from './upstream-http.ts';

type TokenOptions = {
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  /** Signs with the role of this function. */
  readonly signer: AwsSigner;
  readonly now?: Clock;
};

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const TIMEOUT_MS = 10_000;
/** Tokens have a few KB. */
const MAX_TOKEN_BYTES = 64 * 1024;
const LIFETIME_SECONDS = 3600;
/** A token is replaced this long before it expires, so that it lasts as long as a call. */
const RESERVE_MS = 5 * 60 * 1000;

type IssuedToken = { readonly token: string; readonly expiresAt: number };

const tokenSchema = z.object({
  access_token: z.string(),
  expires_in: lenient(z.number().check(z.gte(0), z.lte(LIFETIME_SECONDS)), LIFETIME_SECONDS),
});
const impersonatedSchema = z.object({ accessToken: z.string(), expireTime: z.string() });

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A request for a token that is signed with the key of a service account. */
const signedAssertion = (account: ServiceAccount, nowSeconds: number): string => {
  const header = { alg: 'RS256', typ: 'JWT', kid: account.private_key_id };
  const claims = {
    iss: account.client_email,
    scope: SCOPE,
    aud: account.token_uri,
    iat: nowSeconds,
    exp: nowSeconds + LIFETIME_SECONDS,
  };
  const unsigned = `${encodePart(header)}.${encodePart(claims)}`;
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), account.private_key).toString('base64url')}`;
};

const issueTokens = ({ credential: { name }, fetch, signer, now = Date.now }: TokenOptions) => {
  const post = async <Schema extends z.ZodMiniType>(
    step: TokenStep,
    url: string,
    request: RequestInit,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(url, { method: 'POST', redirect: 'manual', signal, ...request });
      if (!response.ok) throw await readTokenError(name, step, response);
      const text = await readLimited(response.body ?? new Blob([]).stream(), MAX_TOKEN_BYTES);
      return schema.parse(JSON.parse(text));
    } catch (error) {
      if (error instanceof UpstreamError && error.httpStatus !== undefined) throw error;
      // The upstream itself was not called, so a retry is safe.
      throw new UpstreamError('failing', `No access token could be fetched for the upstream "${name}".`, {
        cause: networkError(error),
      });
    }
  };

  const postForm = async (
    step: TokenStep,
    url: string,
    form: Record<string, string>,
  ): Promise<IssuedToken> => {
    const issued = await post(step, url, { body: new URLSearchParams(form) }, tokenSchema);
    return { token: issued.access_token, expiresAt: now() + issued.expires_in * 1000 };
  };

  const fromKey = (account: ServiceAccount): Promise<IssuedToken> =>
    postForm('key', account.token_uri, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signedAssertion(account, Math.floor(now() / 1000)),
    });

  const impersonate = async (federation: Federation, url: string, token: string): Promise<IssuedToken> => {
    const seconds = federation.service_account_impersonation?.token_lifetime_seconds ?? LIFETIME_SECONDS;
    const issued = await post(
      'impersonation',
      url,
      {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ scope: [SCOPE], lifetime: `${seconds}s` }),
      },
      impersonatedSchema,
    );
    return { token: issued.accessToken, expiresAt: Date.parse(issued.expireTime) };
  };

  const fromRole = async (federation: Federation): Promise<IssuedToken> => {
    const { audience, credential_source: source, service_account_impersonation_url: url } = federation;
    const federated = await postForm('exchange', federation.token_url, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience,
      scope: SCOPE,
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token_type: federation.subject_token_type,
      subject_token: await awsSubjectToken(signer, {
        address: source.regional_cred_verification_url,
        audience,
        now: now(),
      }),
    });
    return url === undefined ? federated : impersonate(federation, url, federated.token);
  };

  return async (credential: unknown): Promise<IssuedToken> => {
    const parsed = readGoogleCredential(name, credential);
    return parsed.type === 'service_account' ? fromKey(parsed) : fromRole(parsed);
  };
};

/** Keeps a token until shortly before it expires; of several callers, one fetches the next token for all. */
export const googleToken = (options: TokenOptions) => {
  const { credential, now = Date.now } = options;
  const issue = issueTokens(options);
  let kept: (IssuedToken & { readonly credential: unknown }) | undefined;
  let issuing: { readonly credential: unknown; readonly token: Promise<string> } | undefined;

  const issueOnce = async (current: unknown): Promise<string> => {
    try {
      kept = { ...(await issue(current)), credential: current };
      return kept.token;
    } finally {
      if (issuing?.credential === current) issuing = undefined;
    }
  };

  return {
    read: async (): Promise<string> => {
      const current = await credential.read();
      const isCurrent = kept?.credential === current;
      if (isCurrent && kept !== undefined && now() < kept.expiresAt - RESERVE_MS) return kept.token;
      if (issuing === undefined || issuing.credential !== current)
        issuing = { credential: current, token: issueOnce(current) };
      return issuing.token.catch((error: unknown) => {
        // While no new token can be fetched, the kept one works until it expires.
        if (kept !== undefined && kept.credential === current && now() < kept.expiresAt) return kept.token;
        throw error;
      });
    },

    /** Called after Google refused this token; true if another one is available. */
    renew: async (refused: string, httpStatus: number | undefined): Promise<boolean> => {
      const used = kept?.token === refused ? kept.credential : undefined;
      const current = await credential.readAgain();
      // A 403 concerns the permissions of the service account: another token would not help.
      if (httpStatus !== 401 && used === current) return false;
      if (kept?.token === refused) kept = undefined;
      return true;
    },
  };
};

export type AccessToken = ReturnType<typeof googleToken>;
