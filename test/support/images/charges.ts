import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { plainItem } from '../plain-item.ts';
import type { Service } from '../service.ts';

/** All charge records of an account. */
export const chargesOf = async (service: Service, account: string): Promise<Record<string, unknown>[]> => {
  const client = new DynamoDBClient(service.cloud.clientConfig('operator'));
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: service.cloud.tableName('ChargesTable') }),
  );
  client.destroy();
  return Items.map(plainItem).filter((item) => item.account === account);
};
