import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { type Exchange, parseJson, readBody, sendJson } from './exchange.ts';
import { type GoogleIdentity, TokenError } from './google-identity.ts';
import { UpstreamError } from './upstream-error.ts';

/** The endpoints at which Google issues access tokens. They need no access token themselves. */

export const readBearer = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

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

const DENIED = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'IAM_PERMISSION_DENIED',
  domain: 'iam.googleapis.com',
  metadata: { permission: 'iam.serviceAccounts.getAccessToken' },
};

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
