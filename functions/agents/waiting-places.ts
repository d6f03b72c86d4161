import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { logger } from '../identity/authentication/endpoint.ts';
import { dynamoSlowSteps } from '../platform/aws/dynamo-slow-steps.ts';
import { slotShares } from '../platform/domain/fair-share.ts';
import type { McpEnvironment } from './settings.ts';
import type { Waiting } from './usecases/wait.ts';

/** An item of the tasks table counts the waiting calls of all accounts: together, they take half of the executions. */
export const waitingPlaces = (client: DynamoDBClient, environment: McpEnvironment): Waiting => ({
  places: dynamoSlowSteps(client, environment.TASK_TABLE, slotShares(environment.API_EXECUTIONS), {
    id: 'waiting-calls',
  }),
  logger,
  now: Date.now,
});
