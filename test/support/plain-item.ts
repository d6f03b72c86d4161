import { type AttributeValue, type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../functions/platform/aws/attributes.ts';

const plainValue = ({ S, N, BOOL, L, M }: AttributeValue): unknown => {
  if (N !== undefined) return Number(N);
  if (L !== undefined) return L.map(plainValue);
  if (M !== undefined) return plainItem(M);
  return S ?? BOOL ?? null;
};

/** A stored item without DynamoDB's types. */
export const plainItem = (item: Record<string, AttributeValue>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));

/** Reads such an item by its key; it is empty if there is none. */
export const readPlainItem = async (
  client: DynamoDBClient,
  TableName: string,
  key: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> => {
  const get = new GetItemCommand({ TableName, Key: encode(key), ConsistentRead: true });
  return plainItem((await client.send(get)).Item ?? {});
};
