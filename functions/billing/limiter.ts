import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { logger } from '../identity/authentication/endpoint.ts';
import type { Environment, RESERVATIONS } from '../platform/runtime/environment.ts';
import { dynamoAccounts } from './adapters/dynamo-accounts.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import type { Limits } from './domain/limits.ts';
import { accountLimits, type Limiter } from './domain/reserve.ts';
import type { LIMITS } from './settings.ts';

type LimitEnvironment = Environment<typeof LIMITS & typeof RESERVATIONS>;

/** Limits for accounts that do not have their own. */
export const defaultLimits = ({
  ACCOUNT_LIMITS: { monthlyBudget, videosAtOnce, createsPerMinute },
}: Pick<LimitEnvironment, 'ACCOUNT_LIMITS'>): Limits => ({ monthlyBudget, videosAtOnce, createsPerMinute });

export const createLimiter = (client: DynamoDBClient, environment: LimitEnvironment): Limiter => ({
  accounts: dynamoReservations(client, environment),
  limits: accountLimits(
    dynamoAccounts(client, environment.ACCOUNT_TABLE),
    defaultLimits(environment),
    Date.now,
  ),
  currency: environment.PRICES.currency,
  logger,
  now: Date.now,
});
