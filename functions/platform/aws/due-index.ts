import type { ReadItem, Table } from './table.ts';

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

/** The work that is due by this time. Reads the shards in turn, so that the writes that follow are spread as well. */
export async function* dueItems<T>(
  table: Pick<Table, 'items'>,
  { shards }: DueIndex,
  until: number,
  read: ReadItem<T>,
): AsyncGenerator<T> {
  const where = 'due_shard = :shard AND due_at <= :until';
  let open = shards.map((shard) => table.items({ index: 'due', where, values: { shard, until } }, read));
  while (open.length > 0) {
    const round = await Promise.all(open.map(async (source) => ({ source, next: await source.next() })));
    for (const { next } of round) if (next.done !== true) yield next.value;
    open = round.filter(({ next }) => next.done !== true).map(({ source }) => source);
  }
}
