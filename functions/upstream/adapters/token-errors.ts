import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/text.ts';
import { UpstreamError } from '../domain/faults.ts';
import { readErrorText } from './upstream-http.ts';

/** Explains to the operator why Google issued no access token. */

export type TokenStep = 'key' | 'exchange' | 'impersonation';

/** OAuth errors of the token endpoints, and google.rpc errors of the impersonation. */
const oauthSchema = z.object({ error: z.string(), error_description: z._default(z.string(), '') });
const rpcSchema = z.object({
  error: z.object({ status: z._default(z.string(), ''), message: z._default(z.string(), '') }),
});

const readReason = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text);
    const oauth = oauthSchema.safeParse(body);
    if (oauth.success) return `${oauth.data.error}: ${oauth.data.error_description}`;
    const { status, message } = rpcSchema.parse(body).error;
    return `${status}: ${message}`;
  } catch {
    return 'no reason given';
  }
};

const CLOCK =
  'the request was not valid at this time; compare the clock of this machine with the actual time, and start the function again if its AWS session has expired';

/** The first row that matches Google's reason says what to fix. */
const REMEDIES: Readonly<Record<TokenStep, readonly (readonly [reason: RegExp, remedy: string])[]>> = {
  key: [
    [/signature/i, 'the key was deleted or belongs to another service account; create a new key'],
    [/timeframe|short-lived|iat|expired/i, CLOCK],
    [/account|disabled|client/i, 'the service account was deleted or disabled; enable it or use another one'],
  ],
  exchange: [
    [
      /audience|invalid_target/i,
      'its audience names no enabled workload identity provider; compare it with the provider and write the file again',
    ],
    [/expired|skew|timeframe|not yet/i, CLOCK],
    [
      /attribute condition|unauthorized_client|mapped/i,
      "the provider does not accept the function's role; allow the role in the attribute condition of the provider",
    ],
    [
      /account|aws|signature|invalid_grant/i,
      "AWS or the provider did not accept the function's role; check the AWS account ID of the provider",
    ],
  ],
  impersonation: [
    [
      /PERMISSION_DENIED|UNAUTHENTICATED/,
      "the function's role may not act as the service account; grant it roles/iam.workloadIdentityUser on the service account, and enable the IAM Service Account Credentials API",
    ],
    [/NOT_FOUND/, 'the service account does not exist; write the file again with an existing one'],
    [
      /lifetime|INVALID_ARGUMENT/i,
      'the impersonation was not accepted; check service_account_impersonation_url and a token lifetime of at most 3600 seconds',
    ],
  ],
};

const GENERAL: Readonly<Record<TokenStep, string>> = {
  key: 'Google did not accept the service account key',
  exchange: 'Google did not accept the identity of the function',
  impersonation: 'Google did not accept the impersonation',
};

const MAX_REASON = 300;
const TRANSIENT: readonly number[] = [408, 429];

export const readTokenError = async (
  name: string,
  step: TokenStep,
  response: Response,
): Promise<UpstreamError> => {
  const httpStatus = response.status;
  const reason = truncate(readReason(await readErrorText(response)), MAX_REASON);
  if (httpStatus >= 500 || TRANSIENT.includes(httpStatus))
    return new UpstreamError(
      'failing',
      `Google issued no access token for the upstream "${name}" (${reason}).`,
      {
        httpStatus,
      },
    );
  const remedy = REMEDIES[step].find(([pattern]) => pattern.test(reason))?.[1] ?? GENERAL[step];
  return new UpstreamError(
    'operator',
    `The credential of the upstream "${name}" does not work: ${remedy} (${reason}).`,
    { httpStatus },
  );
};
