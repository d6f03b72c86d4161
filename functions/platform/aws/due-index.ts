import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { encode } from './attributes.ts';
import { allItems, type ReadItem } from './items.ts';

/** The sparse index `due` of a table: items with pending work, ordered by its time. */

type DueIndex = { readonly shards: readonly string[]; readonly shardFor: (id: string) => string };

/** Shards spread the writes: DynamoDB allows 1,000 write units per second and key. */
export const dueIndex = (shardCount: number): DueIndex => ({
  shards: Array.from({ length: shardCount }, (_, shard) => `due-${shard}`),
  // The end of an identifier is random.
  shardFor: (id) => {
    let sum = 0;
    for (const letter of id.slice(-4)) sum = sum * 31 + letter.charCodeAt(0);
    return `due-${sum % shardCount}`;
  },
});

type Due<T> = {
  readonly table: string;
  readonly index: DueIndex;
  /** Reads work that is due by this time. */
  readonly until: number;
  readonly read: ReadItem<T>;
};

/** Reads the shards in turn, so that the writes that follow are spread as well. */
export async function* dueItems<T>(
  client: DynamoDBClient,
  { table, index, until, read }: Due<T>,
): AsyncGenerator<T> {
  let open = index.shards.map((shard) =>
    allItems(
      (start) =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'due',
            KeyConditionExpression: 'due_shard = :shard AND due_at <= :until',
            ExpressionAttributeValues: encode({ ':shard': shard, ':until': until }),
            ExclusiveStartKey: start,
          }),
        ),
      read,
    ),
  );
  while (open.length > 0) {
    const round = await Promise.all(open.map(async (source) => ({ source, next: await source.next() })));
    for (const { next } of round) if (next.done !== true) yield next.value;
    open = round.filter(({ next }) => next.done !== true).map(({ source }) => source);
  }
}
