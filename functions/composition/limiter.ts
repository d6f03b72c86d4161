import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoAccounts } from '../adapters/dynamo-accounts.ts';
import type { ENVIRONMENTS, readEnvironment } from '../runtime/environment.ts';
import { accountLimits } from '../usecases/account-limits.ts';
import type { Limiter } from '../usecases/reserve.ts';

type Environment = Pick<
  ReturnType<typeof readEnvironment<(typeof ENVIRONMENTS)['create-video']>>,
  'ACCOUNT_TABLE' | 'ACCOUNT_LIMITS' | 'PRICES'
>;

/** What holds the creates of an account within its limits. */
export const limiterFrom = (client: DynamoDBClient, environment: Environment): Limiter => {
  const accounts = dynamoAccounts(client, environment.ACCOUNT_TABLE);
  const { monthlyBudget, videosAtOnce, createsPerMinute } = environment.ACCOUNT_LIMITS;
  const defaults = { monthlyBudget, videosAtOnce, createsPerMinute };
  return {
    accounts,
    limitsOf: accountLimits(accounts, defaults, Date.now),
    currency: environment.PRICES.currency,
    now: Date.now,
  };
};
