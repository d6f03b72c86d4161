import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { type Exchange, type Generator, parseJson, readBody, sendJson } from './exchange.ts';
import { type GoogleIdentity, TokenError } from './google-identity.ts';
import { UpstreamError } from './upstream-error.ts';

const errorInfo = (reason: string, domain: string, metadata: object) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata,
});

const INVALID_KEY = errorInfo('API_KEY_INVALID', 'googleapis.com', {
  service: 'generativelanguage.googleapis.com',
});

export const checkKey = (
  request: IncomingMessage,
  { keyHeader, apiKey }: { readonly keyHeader: string; readonly apiKey: string },
  { limits }: Generator,
) => {
  const given = request.headers[keyHeader.toLowerCase()];
  if (given === undefined) {
    throw new UpstreamError(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (given !== apiKey)
    throw new UpstreamError(400, 'API key not valid. Please pass a valid API key.', [INVALID_KEY]);
  if (limits.current().blocked === true)
    throw new UpstreamError(403, 'Your API key was reported as leaked. Please use another API key.');
};

const readBearer = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

const EXPIRED = errorInfo('ACCESS_TOKEN_EXPIRED', 'googleapis.com', { service: 'aiplatform.googleapis.com' });

const permission = (name: string) =>
  errorInfo('IAM_PERMISSION_DENIED', 'aiplatform.googleapis.com', { permission: name });

/** Checks the access token, and that the path names the project and location of this upstream. */
export const checkToken = (
  { request, groups }: Exchange,
  identity: GoogleIdentity,
  { project, location }: { readonly project: string; readonly location: string },
  { limits }: Generator,
) => {
  if (!identity.isValid(readBearer(request))) throw new UpstreamError(401, undefined, [EXPIRED]);
  if (groups.project === undefined) return;
  if (groups.project !== project || limits.current().blocked === true)
    throw new UpstreamError(
      403,
      `Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/${groups.project}/locations/${groups.location}' (or it may not exist).`,
      [permission('aiplatform.endpoints.predict')],
    );
  if (groups.location !== location) throw new UpstreamError(404);
};

/** An endpoint at which Google issues access tokens; it needs no access token itself. */
export type TokenHandler = (exchange: Exchange, identity: GoogleIdentity) => Promise<void>;

const exchangeForm =
  (issue: (form: URLSearchParams, identity: GoogleIdentity) => object): TokenHandler =>
  async ({ request, response }, identity) => {
    try {
      sendJson(response, issue(new URLSearchParams(String(await readBody(request))), identity));
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      sendJson(response, { error: error.code, error_description: error.message }, 400);
    }
  };

export const sendTokenForKey = exchangeForm((form, identity) => identity.tokenForKey(form));
export const sendTokenForRole = exchangeForm((form, identity) => identity.tokenForRole(form));

const impersonation = z.object({
  scope: z.array(z.string()).min(1),
  lifetime: z
    .string()
    .regex(/^\d{1,5}s$/)
    .default('3600s'),
});
const MAX_LIFETIME_SECONDS = 3600;

const DENIED = errorInfo('IAM_PERMISSION_DENIED', 'iam.googleapis.com', {
  permission: 'iam.serviceAccounts.getAccessToken',
});

export const sendImpersonatedToken: TokenHandler = async ({ request, response, groups }, identity) => {
  const bearer = readBearer(request);
  if (!identity.isValid(bearer)) throw new UpstreamError(401);
  const parsed = impersonation.safeParse(parseJson(await readBody(request)));
  const seconds = Number.parseInt(parsed.data?.lifetime ?? '', 10);
  if (!parsed.success || seconds > MAX_LIFETIME_SECONDS)
    throw new UpstreamError(400, 'Request contains an invalid argument.');
  const issued = identity.impersonate(bearer, decodeURIComponent(groups.email ?? ''), seconds);
  if (issued === undefined)
    throw new UpstreamError(
      403,
      "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
      [DENIED],
    );
  sendJson(response, issued);
};
