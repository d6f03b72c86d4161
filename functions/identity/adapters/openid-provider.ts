import { createHash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import type { Clock } from '../../platform/domain/log-events.ts';
import {
  type OpenIdProvider,
  ProviderError,
  type ProviderFailure,
  type ProviderTokens,
} from '../domain/provider.ts';
import type { Claims } from '../domain/sign-in.ts';

/** The provider, as the setting `signIn` describes it. */
export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Further parameters of the authorization request, such as `prompt`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The claims that are needed beside the subject. */
  readonly claims: readonly string[];
};

const CALL_MILLISECONDS = 5000;
/** Metadata, keys and tokens have a few KB. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const DISCOVERY_MILLISECONDS = 60 * 60 * 1000;
const CLOCK_TOLERANCE_SECONDS = 60;
/** Longer hints do not fit into an address. */
const MAX_HINT = 4000;
/** The refresh token is no longer accepted, or the person must be present. */
const ENDED = ['invalid_grant', 'interaction_required', 'login_required', 'consent_required'];
const PROVIDER_TROUBLE = ['temporarily_unavailable', 'server_error'];

const isOutage = (status: number): boolean => status >= 500 || status === 429;

/** Network errors are of type TypeError, and timeouts are DOMExceptions. */
const isUnreachable = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  (error instanceof Error && error.cause instanceof Response && isOutage(error.cause.status));

const toFailure = (error: unknown): ProviderFailure => {
  if (error instanceof oauth.AuthorizationResponseError)
    return PROVIDER_TROUBLE.includes(error.error) ? 'unavailable' : 'denied';
  if (error instanceof oauth.ResponseBodyError) {
    if (isOutage(error.status)) return 'unavailable';
    return ENDED.includes(error.error) ? 'refused' : 'invalid';
  }
  return isUnreachable(error) ? 'unavailable' : 'invalid';
};

const translated = async <T>(work: () => Promise<T>, nextRefreshToken?: string): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError
      ? error
      : new ProviderError(toFailure(error), error, nextRefreshToken);
  }
};

type ProviderRequest = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>;

/** Fails while a response is read if it is longer than any that a provider would send. */
const fetchLimited = async (url: string, request: ProviderRequest): Promise<Response> => {
  const optional = { body: request.body ?? null, signal: request.signal ?? null };
  const { body, status, statusText, headers } = await fetch(url, { ...request, ...optional });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new Error('the response of the provider is too long'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limit) ?? null, { status, statusText, headers });
};

/** The hash function of a signature algorithm: RS256, ES384, EdDSA. */
const hashName = (algorithm: string): string => {
  const bits = /(256|384|512)$/.exec(algorithm)?.[1];
  return `sha${bits ?? '512'}`;
};

/** The library leaves this check to its users: it binds the access token to the ID token. */
const checkAccessTokenHash = (idToken: string, claims: Claims, accessToken: string): void => {
  if (claims.at_hash === undefined) return;
  const { alg }: { alg?: unknown } = JSON.parse(
    Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString(),
  );
  const digest = createHash(hashName(String(alg)))
    .update(accessToken)
    .digest();
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== claims.at_hash)
    throw new Error('unexpected ID Token "at_hash" claim value');
};

/** Providers that do not say what they support usually offer a choice, such as Google. */
const identityPrompt = (supported: unknown): string =>
  Array.isArray(supported) && !supported.includes('select_account') ? 'login' : 'select_account';

/** Speaks OpenID Connect with one provider. Metadata and keys are kept between requests. */
export const openIdProvider = (
  settings: ProviderSettings,
  readSecret: (() => Promise<string>) | undefined,
  now: Clock,
): OpenIdProvider => {
  const issuer = new URL(settings.issuer);
  const client: oauth.Client = {
    client_id: settings.clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  };
  const options = () => ({
    signal: AbortSignal.timeout(CALL_MILLISECONDS),
    [oauth.customFetch]: fetchLimited,
    // Only a provider on the same machine may be without TLS, which the setting checks.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  });
  let known: { readonly server: oauth.AuthorizationServer; readonly until: number } | undefined;

  const fetchMetadata = async (): Promise<oauth.AuthorizationServer> =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options()));

  /** While the provider does not answer, the metadata that we have is still right. */
  const discover = async (): Promise<oauth.AuthorizationServer> => {
    if (known !== undefined && now() < known.until) return known.server;
    try {
      known = { server: await fetchMetadata(), until: now() + DISCOVERY_MILLISECONDS };
    } catch (error) {
      if (known === undefined) throw error;
    }
    return known.server;
  };

  const authentication = async (server: oauth.AuthorizationServer): Promise<oauth.ClientAuth> => {
    if (readSecret === undefined) return oauth.None();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const secret = await readSecret();
    return methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(secret)
      : oauth.ClientSecretPost(secret);
  };

  /** The library keeps keys for five minutes; a key that it does not know is looked for once more. */
  const checkSignature = async (server: oauth.AuthorizationServer, response: Response): Promise<void> => {
    try {
      await oauth.validateApplicationLevelSignature(server, response, options());
    } catch (error) {
      const isUnknownKey =
        error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
      if (!isUnknownKey) throw error;
      const server = { ...(await discover()) };
      known = { server, until: now() + DISCOVERY_MILLISECONDS };
      await oauth.validateApplicationLevelSignature(server, response, options());
    }
  };

  const fetchUserInfo = async (
    server: oauth.AuthorizationServer,
    subject: string,
    accessToken: string,
  ): Promise<Claims> => {
    const response = await oauth.userInfoRequest(server, client, accessToken, options());
    return oauth.processUserInfoResponse(server, client, subject, response);
  };

  const isMissing = (claims: Claims): boolean => settings.claims.some((name) => !Object.hasOwn(claims, name));

  /** Claims that the ID token does not have are asked for. */
  const completeClaims = async (
    server: oauth.AuthorizationServer,
    claims: Claims & { readonly sub: string },
    accessToken: string,
  ): Promise<Claims> =>
    isMissing(claims) && server.userinfo_endpoint !== undefined
      ? { ...(await fetchUserInfo(server, claims.sub, accessToken)), ...claims }
      : claims;

  const readTokens = async (
    server: oauth.AuthorizationServer,
    response: Response,
    tokens: oauth.TokenEndpointResponse,
  ): Promise<ProviderTokens | undefined> => {
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = tokens;
    if (claims === undefined || idToken === undefined) return undefined;
    await checkSignature(server, response);
    checkAccessTokenHash(idToken, claims, accessToken);
    const complete = await completeClaims(server, claims, accessToken);
    return { subject: claims.sub, claims: complete, refreshToken, idToken };
  };

  return {
    authorizationUrl: (attempt, choosesIdentity = false) =>
      translated(async () => {
        const { authorization_endpoint, prompt_values_supported } = await discover();
        if (authorization_endpoint === undefined)
          throw new Error('the provider has no authorization endpoint');
        const url = new URL(authorization_endpoint);
        for (const [name, value] of Object.entries({
          ...settings.parameters,
          ...(choosesIdentity ? { prompt: identityPrompt(prompt_values_supported) } : {}),
          client_id: settings.clientId,
          redirect_uri: attempt.redirectUri,
          response_type: 'code',
          scope: settings.scopes.join(' '),
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }))
          url.searchParams.set(name, value);
        return url.href;
      }),

    redeemCode: (parameters, attempt) =>
      translated(async () => {
        const server = await discover();
        const checked = oauth.validateAuthResponse(server, client, parameters, attempt.state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          await authentication(server),
          checked,
          attempt.redirectUri,
          attempt.verifier,
          options(),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: attempt.nonce,
          requireIdToken: true,
        });
        const read = await readTokens(server, response, tokens);
        if (read === undefined) throw new Error('the provider sent no ID token');
        return read;
      }),

    refresh: (refreshToken, subject) =>
      translated(async () => {
        const server = await discover();
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          await authentication(server),
          refreshToken,
          options(),
        );
        const tokens = await oauth.processRefreshTokenResponse(server, client, response);
        const next = tokens.refresh_token ?? refreshToken;
        return translated(async () => {
          const read = await readTokens(server, response, tokens);
          if (read !== undefined) return { ...read, refreshToken: next };
          const claims =
            server.userinfo_endpoint === undefined
              ? undefined
              : await fetchUserInfo(server, subject, tokens.access_token);
          return { subject, claims, refreshToken: next };
        }, tokens.refresh_token);
      }),

    signOutUrl: (idToken, returnTo) =>
      translated(async () => {
        const { end_session_endpoint } = await discover();
        if (end_session_endpoint === undefined) return undefined;
        const url = new URL(end_session_endpoint);
        url.searchParams.set('client_id', settings.clientId);
        url.searchParams.set('post_logout_redirect_uri', returnTo);
        // Amazon Cognito has its own name for the address.
        if (issuer.host.startsWith('cognito-idp.')) url.searchParams.set('logout_uri', returnTo);
        if (idToken !== undefined && idToken.length <= MAX_HINT)
          url.searchParams.set('id_token_hint', idToken);
        return url.href;
      }),
  };
};
