import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { readItems, skipUnreadable } from '../../platform/aws/all-items.ts';
import { encode } from '../../platform/aws/attributes.ts';
import type { Logger } from '../../platform/domain/ports.ts';
import type { FileRepository } from '../domain/file-ports.ts';
import type { StoredFile } from '../domain/files.ts';
import { isRemoved, readFile } from './file-item.ts';

/** Lambda's answers hold 6 MB; a name of 255 characters can take a kilobyte of them. */
const MOST_NAME_BYTES = 3_000_000;

/** Identifiers tell the order, and a page can begin after one that is gone. */
export const dynamoFilePages = (
  client: DynamoDBClient,
  table: string,
  logger: Logger,
): Pick<FileRepository, 'page'> => ({
  page: async (account, { limit, newestFirst, after, purpose }, now) => {
    const read = skipUnreadable({ logger, table, key: ['account', 'id'] }, (item) =>
      isRemoved(item) ? undefined : readFile(item),
    );
    const files: StoredFile[] = [];
    let nameBytes = 0;
    let start = after === undefined ? undefined : encode({ account, id: after });
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'account = :account AND begins_with(id, :files)',
          ExpressionAttributeValues: encode({ ':account': account, ':files': 'file_' }),
          ScanIndexForward: !newestFirst,
          Limit: purpose === undefined ? limit + 1 - files.length : undefined,
          ExclusiveStartKey: start,
        }),
      );
      for (const file of readItems(page, read)) {
        if (now >= file.expiresAt || (purpose !== undefined && file.purpose !== purpose)) continue;
        if (files.length === limit || nameBytes > MOST_NAME_BYTES) return { files, hasMore: true };
        files.push(file);
        nameBytes += Buffer.byteLength(file.name);
      }
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return { files, hasMore: false };
  },
});
