import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import type { FileReader } from '../../platform/domain/ports.ts';
import type { FileRepository } from '../domain/file-ports.ts';
import { readFileKey } from '../domain/files.ts';
import { isRemoved, readFile } from './file-item.ts';

/** Apart from the rest of the table, so that a bundle that only looks files up holds nothing else. */
export const findRegisteredFile =
  (client: DynamoDBClient, table: string): FileRepository['find'] =>
  async (account, id) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: encode({ account, id }), ConsistentRead: true }),
    );
    return Item === undefined || isRemoved(Item) ? undefined : readFile(Item);
  };

/** The item decides whether a file exists: an object alone may be what a signed address took after the deletion. */
export const registeredFiles = (find: FileRepository['find'], objects: FileReader): FileReader => ({
  openFile: async (key, firstBytes) => {
    const { account, id } = readFileKey(key);
    const file = await find(account, id);
    const opened = file && (await objects.openFile(key, firstBytes));
    return opened && { ...opened, expiresAt: file.expiresAt };
  },
});
