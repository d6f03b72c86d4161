import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const clients = new WeakMap<DynamoDBClientConfig, DynamoDBClient>();

/** One client for each configuration, because creating one takes as long as a request. */
export const dynamoClient = (config: DynamoDBClientConfig): DynamoDBClient => {
  const client = clients.get(config) ?? new DynamoDBClient(config);
  clients.set(config, client);
  return client;
};
