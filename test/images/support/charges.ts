import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Service } from '../../support/service.ts';

/** All charge records of an account. */
export const chargesOf = async (service: Service, account: string): Promise<Record<string, unknown>[]> => {
  const client = new DynamoDBClient(service.cloud.clientConfig('operator'));
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(
    new ScanCommand({ TableName: service.cloud.tableName('ChargesTable') }),
  );
  client.destroy();
  return Items.filter((item) => item.account === account);
};
