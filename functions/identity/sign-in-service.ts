import { cachedSecret } from '../platform/aws/secret.ts';
import { AUDIT, type Environment, MEMBERS, SESSIONS } from '../platform/runtime/environment.ts';
import { auditTrail } from './adapters/audit-trail.ts';
import { memberDirectory } from './adapters/dynamo-members.ts';
import { dynamoSessionWrites } from './adapters/dynamo-session-writes.ts';
import { openIdProvider } from './adapters/openid-provider.ts';
import { client, logger } from './authentication/endpoint.ts';
import type { OpenIdProvider } from './domain/provider.ts';
import { PROVIDER, SESSION_TIMES } from './settings.ts';

export const SIGN_IN_SERVICE = { ...SESSIONS, ...MEMBERS, ...AUDIT, ...PROVIDER, ...SESSION_TIMES };
type Settings = Environment<typeof SIGN_IN_SERVICE>;

/** Undefined if the setting `signIn` names no provider. */
const provider = (settings: Settings): OpenIdProvider | undefined => {
  const { SIGN_IN_ISSUER, SIGN_IN_CLIENT_ID, SIGN_IN_SECRET_ARN, SIGN_IN } = settings;
  if (SIGN_IN_ISSUER === '') return undefined;
  const { scopes, parameters, accounts } = SIGN_IN;
  const mapped = accounts.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
  const claims = [...(scopes.includes('email') ? ['email'] : []), ...mapped];
  return openIdProvider(
    { issuer: SIGN_IN_ISSUER, clientId: SIGN_IN_CLIENT_ID, scopes, parameters, claims },
    SIGN_IN_SECRET_ARN === '' ? undefined : cachedSecret(SIGN_IN_SECRET_ARN),
    Date.now,
  );
};

/** Everything that signing in and renewing need, from the environment. */
export const signInService = (settings: Settings) => {
  const { SESSION_TABLE, MEMBER_TABLE, AUDIT_TABLE } = settings;
  const audit = auditTrail(client, AUDIT_TABLE, logger);
  return {
    provider: provider(settings),
    directory: memberDirectory(client, MEMBER_TABLE, logger),
    writes: dynamoSessionWrites(client, { sessions: SESSION_TABLE, members: MEMBER_TABLE }, audit),
    issuer: settings.SIGN_IN_ISSUER,
    rules: settings.SIGN_IN,
    times: settings.SESSION_TIMES,
    logger,
    now: Date.now,
  };
};
