import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Logger } from '../domain/log-events.ts';
import { type Attributes, encode } from './attributes.ts';

/** Reads many items: an unreadable item must not affect the others. */

type Page = { readonly Items?: Attributes[] | undefined; readonly LastEvaluatedKey?: Attributes | undefined };

/** Undefined for a skipped item. */
export type ReadItem<T> = (item: Attributes) => T | undefined;

type Source = {
  readonly logger: Pick<Logger, 'error'>;
  readonly table: string;
  /** The table's key attributes, logged so that an operator can find the item. */
  readonly key: readonly string[];
};

/** Logs the key (never the content) of an unreadable item, counts it and skips it. */
export const skipUnreadable =
  <T>({ logger, table, key }: Source, read: ReadItem<T>): ReadItem<T> =>
  (item) => {
    try {
      return read(item);
    } catch (error) {
      logger.error('item not readable', error, {
        table,
        key: key.map((name) => item[name]?.S ?? '').join('/'),
      });
      return undefined;
    }
  };

/** The readable items of a page. */
export const readItems = <T>({ Items = [] }: Page, read: ReadItem<T>): T[] =>
  Items.map(read).filter((found) => found !== undefined);

/** All items of a query or scan; each page is read when it is needed. */
export const allItems = async function* <T>(
  readPage: (start: Attributes | undefined) => Promise<Page>,
  read: ReadItem<T>,
  first?: Attributes,
): AsyncGenerator<T> {
  let start = first;
  do {
    const page = await readPage(start);
    yield* readItems(page, read);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
};

/** The items of an account in its index, newest first. */
export const accountItems = <T>(
  client: DynamoDBClient,
  table: string,
  account: string,
  { read, first }: { readonly read: ReadItem<T>; readonly first?: Attributes | undefined },
): AsyncGenerator<T> =>
  allItems(
    (start) =>
      client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'by-account',
          KeyConditionExpression: 'account = :account',
          ExpressionAttributeValues: encode({ ':account': account }),
          ScanIndexForward: false,
          ExclusiveStartKey: start,
        }),
      ),
    read,
    first,
  );
