import { openAiDialect } from '../platform/api/dialects.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { PUBLIC_ADDRESS, readEnvironment } from '../platform/runtime/environment.ts';
import { type HttpRequest, type HttpResponse, ok, publicHandler } from '../platform/runtime/http.ts';
import { signInObject } from './api/session-object.ts';
import {
  isSameOrigin,
  readCookie,
  sessionCookie,
  sessionCookieName,
  signInCookieName,
} from './authentication/authenticate.ts';
import { logger } from './authentication/endpoint.ts';
import { readUserAgent } from './domain/audit.ts';
import { readInvitationToken } from './domain/person.ts';
import { type OpenIdProvider, ProviderError, type ProviderFailure } from './domain/provider.ts';
import { readReturnTo, type SignInError } from './domain/sign-in.ts';
import { ATTEMPT_SECONDS, resumeAttempt, startAttempt } from './domain/sign-in-attempt.ts';
import { SIGN_IN_LINKS } from './settings.ts';
import { SIGN_IN_SERVICE, signInService } from './sign-in-service.ts';
import { signInWithProvider } from './usecases/sign-in-with-provider.ts';

export const ENVIRONMENT = { ...SIGN_IN_SERVICE, ...PUBLIC_ADDRESS, ...SIGN_IN_LINKS };
const environment = readEnvironment(ENVIRONMENT);
const service = signInService(environment);

const callbackAddress = ({ publicUrl }: HttpRequest): string => `${publicUrl}/v1/console/sign_in/callback`;

/** The address of a page as the browser knows it, which a proxy may serve elsewhere. */
const pageAddress = ({ prefix }: HttpRequest, path: string): string =>
  `${environment.PUBLIC_BASE_URL === '' ? prefix : environment.PUBLIC_BASE_URL}${path}`;

const requireProvider = (): OpenIdProvider => {
  if (service.provider === undefined)
    throw new DomainError('not_found', 'This service has no sign-in provider (setting signIn).');
  return service.provider;
};

const leadTo = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 302,
  headers: { location, 'referrer-policy': 'no-referrer' },
  cookies,
});

const PAGE_ERRORS: Readonly<Record<ProviderFailure, SignInError>> = {
  denied: 'access_denied',
  refused: 'sign_in_failed',
  unavailable: 'provider_unavailable',
  invalid: 'sign_in_failed',
};

/** The sign-in page explains the error. */
const leadToError = (
  request: HttpRequest,
  error: SignInError,
  cookies?: readonly string[],
  identity = '',
): HttpResponse => {
  // In the fragment, which no log contains.
  const fragment = identity === '' ? '' : `#as=${encodeURIComponent(identity)}`;
  return leadTo(pageAddress(request, `/console/sign-in?error=${error}${fragment}`), cookies);
};

const removeAttempt = ({ header }: HttpRequest): readonly string[] => {
  const name = signInCookieName(header);
  return name === undefined ? [] : [sessionCookie(name, '', 0, 'Lax')];
};

const failed = (request: HttpRequest, error: unknown, cookies?: readonly string[]): HttpResponse => {
  if (!(error instanceof ProviderError)) throw error;
  logger.error('provider failed', error, { failure: error.failure });
  return leadToError(request, PAGE_ERRORS[error.failure], cookies);
};

const start = async (request: HttpRequest): Promise<HttpResponse> => {
  const { header, prefix, query } = request;
  const provider = requireProvider();
  const cookieName = signInCookieName(header);
  if (cookieName === undefined)
    throw new DomainError('invalid_request', 'Signing in requires HTTPS: open the console with https://.');
  // Otherwise another site could sign a person in unasked, or in to an account of its choice.
  if (isSameOrigin(header) === false && header('sec-fetch-site') !== 'none')
    return leadTo(pageAddress(request, '/console/sign-in'));
  const given = query('invitation');
  const invitation = given !== undefined && readInvitationToken(given) !== undefined ? given : undefined;
  const returnTo = readReturnTo(query('return_to'), prefix);
  const { cookie, attempt } = startAttempt({ returnTo, invitation }, Date.now());
  try {
    const location = await provider.authorizationUrl(
      { ...attempt, redirectUri: callbackAddress(request) },
      query('choose_identity') === 'true',
    );
    return leadTo(location, [sessionCookie(cookieName, cookie, ATTEMPT_SECONDS, 'Lax')]);
  } catch (error) {
    return failed(request, error);
  }
};

/** The parameters of OAuth; a repeated one is refused. */
const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'];

const readParameters = ({ queryAll }: HttpRequest): URLSearchParams =>
  new URLSearchParams(
    PARAMETERS.flatMap((name) => queryAll(name).map((value): [string, string] => [name, value])),
  );

const callback = async (request: HttpRequest, outcome: { account?: string }): Promise<HttpResponse> => {
  const { header, query, sourceIp } = request;
  const provider = requireProvider();
  const cookies = removeAttempt(request);
  const attempt = resumeAttempt(readCookie(header, signInCookieName(header)), query('state'), Date.now());
  const cookieName = sessionCookieName(header);
  // The callback of another browser, a repeated one, or one that took too long.
  if (attempt === undefined || cookieName === undefined) {
    logger.info('sign-in refused', { reason: 'sign_in_expired', person: undefined });
    return leadToError(request, 'sign_in_expired');
  }
  try {
    const redirectUri = callbackAddress(request);
    const tokens = await provider.redeemCode(readParameters(request), { ...attempt, redirectUri });
    const signOutUrl = await provider.signOutUrl(tokens.idToken, `${request.publicUrl}/console/sign-in`);
    const from = { ip: sourceIp, userAgent: readUserAgent(header) };
    const result = await signInWithProvider(service, { attempt, tokens, signOutUrl, from });
    if ('error' in result) {
      logger.info('sign-in refused', { reason: result.error, person: result.personId });
      return leadToError(request, result.error, cookies, result.identity);
    }
    outcome.account = result.account;
    const maxAge = Math.round((result.endsAt - Date.now()) / 1000);
    return leadTo(pageAddress(request, attempt.returnTo), [
      ...cookies,
      sessionCookie(cookieName, result.cookie, maxAge),
    ]);
  } catch (error) {
    return failed(request, error, cookies);
  }
};

/** The ways to sign in, for the sign-in page. */
const describe = (): HttpResponse =>
  ok(
    signInObject({
      provider:
        service.provider === undefined
          ? undefined
          : { issuer: environment.SIGN_IN_ISSUER, name: environment.SIGN_IN_NAME },
      links: environment.SIGN_IN_LINKS === 'true',
    }),
  );

export const handler = publicHandler({ dialect: openAiDialect, logger }, async (request, outcome) => {
  if (request.route.endsWith('/start')) return start(request);
  return request.route.endsWith('/callback') ? callback(request, outcome) : describe();
});
