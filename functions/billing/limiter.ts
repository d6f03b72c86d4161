import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { logger } from '../identity/authentication/endpoint.ts';
import type { Environment, RESERVATIONS } from '../platform/runtime/environment.ts';
import { dynamoAccounts } from './adapters/dynamo-accounts.ts';
import { dynamoReservations } from './adapters/dynamo-reservations.ts';
import { accountLimits, type Limiter } from './domain/reserve.ts';
import type { LIMITS } from './settings.ts';

type LimitEnvironment = Environment<typeof LIMITS & typeof RESERVATIONS>;

export const createLimiter = (client: DynamoDBClient, environment: LimitEnvironment): Limiter => ({
  accounts: dynamoReservations(client, environment),
  limits: accountLimits(
    dynamoAccounts(client, environment.ACCOUNT_TABLE),
    environment.ACCOUNT_LIMITS,
    Date.now,
  ),
  currency: environment.PRICES.currency,
  logger,
  now: Date.now,
});
