import * as z from 'zod';
import { type Exchange, type Handler, readBearer, sendJson } from '../exchange.ts';
import { parseJson, readBody } from '../request-body.ts';
import { path, type Route } from '../routes.ts';
import { UpstreamError } from '../upstream-error.ts';
import { errorInfo } from './errors.ts';
import { type GoogleIdentity, TokenError } from './google-identity.ts';

/** The endpoints at which Google issues access tokens; they need no access token themselves. */

type TokenHandler = (exchange: Exchange, identity: GoogleIdentity) => Promise<void>;

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

const sendTokenForKey = exchangeForm((form, identity) => identity.tokenForKey(form));
const sendTokenForRole = exchangeForm((form, identity) => identity.tokenForRole(form));

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

const sendImpersonatedToken: TokenHandler = async ({ request, response, groups }, identity) => {
  const bearer = readBearer(request);
  if (!identity.isValid(bearer)) throw new UpstreamError(401);
  const parsed = impersonation.safeParse(parseJson(await readBody(request)));
  const seconds = Number.parseInt(parsed.data?.lifetime ?? '', 10);
  if (!parsed.success || seconds > MAX_LIFETIME_SECONDS) throw new UpstreamError(400);
  const issued = identity.impersonate(bearer, decodeURIComponent(groups.email ?? ''), seconds);
  if (issued === undefined)
    throw new UpstreamError(
      403,
      "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
      { details: [DENIED] },
    );
  sendJson(response, issued);
};

const ENDPOINTS: readonly (readonly [path: string, handle: TokenHandler])[] = [
  ['/token', sendTokenForKey],
  ['/v1/token', sendTokenForRole],
  ['/v1/projects/-/serviceAccounts/(?<email>[^/:]+):generateAccessToken', sendImpersonatedToken],
];

export const tokenRoutes = (identity: GoogleIdentity): readonly Route[] =>
  ENDPOINTS.map(([source, handle]) => {
    const handleToken: Handler = (exchange) => handle(exchange, identity);
    return { method: 'POST', path: path(source), handle: handleToken, access: 'other' };
  });
