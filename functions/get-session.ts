import { dynamoClient } from './adapters/aws-clients.ts';
import { dynamoAccounts } from './adapters/dynamo-accounts.ts';
import { dynamoSessions } from './adapters/dynamo-sessions.ts';
import { currentSessionObject } from './api/console/session-object.ts';
import { adminEndpoint } from './composition/endpoint.ts';
import { defaultLimits } from './composition/limiter.ts';
import { DomainError } from './domain/errors.ts';
import { isSessionId } from './domain/session.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';
import { ok } from './runtime/http.ts';
import { limitsIn } from './usecases/account-limits.ts';

const environment = readEnvironment(ENVIRONMENTS['get-session']);
const { KEY_TABLE, SESSION_TABLE, ACCOUNT_TABLE, PUBLIC_BASE_URL } = environment;
const DAY_SECONDS = 24 * 60 * 60;
const client = dynamoClient();
const sessions = dynamoSessions(client, SESSION_TABLE);
const accounts = dynamoAccounts(client, ACCOUNT_TABLE);

export const handler = adminEndpoint(client, KEY_TABLE, async ({ caller, baseUrl }) => {
  if (!isSessionId(caller.keyId))
    throw new DomainError('insufficient_permissions', 'An admin key has no session: sign in to the console.');
  const [session, account] = await Promise.all([
    sessions.find(caller.keyId),
    accounts.find(caller.account, Date.now()),
  ]);
  if (session === undefined)
    throw new DomainError('invalid_api_key', 'The console session has ended: sign in again.');
  return ok(
    currentSessionObject(session, {
      baseUrl: PUBLIC_BASE_URL === '' ? baseUrl : PUBLIC_BASE_URL,
      prices: environment.PRICES,
      videoRetentionDays: environment.VIDEO_RETENTION_SECONDS / DAY_SECONDS,
      sampleGenerator: environment.SAMPLE_GENERATOR === 'true',
      limits: limitsIn(account, defaultLimits(environment)),
    }),
  );
});
