import * as z from 'zod/mini';
import { dynamoAccounts } from '../billing/adapters/dynamo-accounts.ts';
import { toBudgetState } from '../billing/domain/budget.ts';
import { effectiveLimits } from '../billing/domain/reserve.ts';
import { LIMITS } from '../billing/settings.ts';
import { IMAGE_MODEL, maxImageBytes, VIDEO_MODELS } from '../catalogue/domain/models.ts';
import { dynamoMembers, memberDirectory } from '../identity/adapters/dynamo-members.ts';
import { dynamoSessions } from '../identity/adapters/dynamo-sessions.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { ACCESS_REMOVED } from '../identity/domain/roles.ts';
import { isSessionId } from '../identity/domain/session.ts';
import { PROVIDER_NAME } from '../identity/settings.ts';
import { offeredImageSizes } from '../images/domain/offered.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { isOneOf } from '../platform/domain/text.ts';
import {
  FEATURES,
  KEYS,
  PUBLIC_ADDRESS,
  REQUEST_SIZE,
  readEnvironment,
  seconds,
} from '../platform/runtime/environment.ts';
import { offeredModels } from '../upstream/domain/capabilities.ts';
import { OFFER } from '../upstream/settings.ts';
import { capabilitySets } from '../videos/domain/offered.ts';
import { currentSessionObject } from './api/current-session.ts';
import { CONSOLE_ENDPOINTS } from './api/endpoints.ts';

export const ENVIRONMENT = {
  ...KEYS,
  ...PUBLIC_ADDRESS,
  ...PROVIDER_NAME,
  ...LIMITS,
  ...REQUEST_SIZE,
  ...OFFER,
  ...FEATURES,
  VIDEO_RETENTION_SECONDS: seconds,
  STORES_IMAGES: z.enum(['true', 'false']),
  SAMPLE_GENERATOR: z.enum(['true', 'false']),
};
const environment = readEnvironment(ENVIRONMENT);
const { SESSION_TABLE, MEMBER_TABLE, ACCOUNT_TABLE, UPSTREAMS } = environment;
const offered = offeredModels(UPSTREAMS);
const offers = {
  video: Object.fromEntries(
    VIDEO_MODELS.filter((model) => isOneOf(offered, model)).map((model) => [
      model,
      capabilitySets(UPSTREAMS, model),
    ]),
  ),
  image: offered.includes(IMAGE_MODEL),
  imageSizes: offeredImageSizes(UPSTREAMS),
};
const DAY_SECONDS = 24 * 60 * 60;
const sessions = dynamoSessions(client, SESSION_TABLE);
const accounts = dynamoAccounts(client, ACCOUNT_TABLE);
const members = dynamoMembers(client, MEMBER_TABLE);
const directory = memberDirectory(client, MEMBER_TABLE, logger);

export const handler = jsonEndpoint(CONSOLE_ENDPOINTS.getSession, async ({ caller, publicUrl }) => {
  if (!isSessionId(caller.keyId))
    throw new DomainError('insufficient_permissions', 'An admin key has no session. Sign in to the console.');
  const now = Date.now();
  const { personId, role = 'viewer' } = caller;
  const [session, account, memberships] = await Promise.all([
    sessions.find(caller.keyId),
    accounts.find(caller.account, now),
    personId === undefined ? [] : directory.listByPerson(personId),
  ]);
  // Newer than the caller, which is cached; the index may not have a new member yet.
  const member =
    memberships.find((each) => each.account === caller.account) ??
    (personId === undefined ? undefined : await members.find(caller.account, personId));
  if (session === undefined)
    throw new DomainError('invalid_api_key', 'The console session has ended. Sign in again.');
  if (personId !== undefined && member === undefined)
    throw new DomainError('invalid_api_key', ACCESS_REMOVED);
  const limits = effectiveLimits(account, environment.ACCOUNT_LIMITS);
  return currentSessionObject(
    session,
    {
      role: member?.role ?? role,
      member,
      memberships,
      providerName: session.checkUntil === undefined ? undefined : environment.SIGN_IN_NAME,
    },
    {
      baseUrl: publicUrl,
      prices: environment.PRICES,
      offers,
      features: environment.FEATURES,
      videoRetentionDays: environment.VIDEO_RETENTION_SECONDS / DAY_SECONDS,
      storesImages: environment.STORES_IMAGES === 'true',
      sampleGenerator: environment.SAMPLE_GENERATOR === 'true',
      imageBytes: maxImageBytes(environment.UPSTREAM_REQUEST_MEGABYTES),
      limits,
      budget: toBudgetState(account, limits, now),
    },
  );
});
