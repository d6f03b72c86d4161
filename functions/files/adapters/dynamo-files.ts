import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { StorageChange } from '../../billing/domain/kept-storage.ts';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import type { MemberRepository } from '../../identity/domain/person.ts';
import * as stored from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dueIndex, dueItems } from '../../platform/aws/due-index.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { type Change, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import { encodeTime, FILE_PREFIX } from '../../platform/domain/ids.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { isKept } from '../../platform/domain/retention.ts';
import {
  countsTowardsStorage,
  FILE_PURPOSES,
  type FileChange,
  type FileChanges,
  type FileCleanUp,
  type FileDeletion,
  type FileFilter,
  type FileReader,
  type FileRepository,
  matchesFile,
  type Output,
  type StoredFile,
  uploadEndsAt,
} from '../domain/files.ts';
import { mayUpload } from '../domain/uploads.ts';

/** The index that the clean-up reads. */
export const DUE_INDEX = dueIndex(4);

export const toItem = (file: StoredFile, dueAt: number): stored.Attributes =>
  stored.encode({ ...file, due_shard: DUE_INDEX.shardFor(file.id), due_at: dueAt });

const readOutput = (item: stored.Attributes, name: string): Output => {
  const output = stored.map(item, name);
  return {
    ...stored.all(output, stored.text, 'model', 'prompt', 'size', 'keyId'),
    personId: stored.optional(output, 'personId', stored.text),
    durationMs: stored.number(output, 'durationMs'),
    amount: stored.amountOrNull(output, 'amount'),
    currency: stored.textOrNull(output, 'currency'),
  };
};

export const readFile = (item: stored.Attributes): StoredFile =>
  ({
    ...stored.all(item, stored.text, 'id', 'account', 'name', 'mimeType'),
    ...stored.all(item, stored.time, 'createdAt', 'expiresAt'),
    ...stored.allOptional(item, stored.text, 'title', 'sha256', 'uploaderId'),
    bytes: stored.number(item, 'bytes'),
    purpose: stored.oneOf(item, 'purpose', FILE_PURPOSES),
    arrived: stored.boolean(item, 'arrived'),
    unsettled: stored.optional(item, 'unsettled', stored.boolean),
    output: stored.optional(item, 'output', readOutput),
  }) satisfies stored.Complete<StoredFile>;

/** A removed file counts until its bytes are deleted and its signed URL accepts no others. */
export const isRemoved = (item: stored.Attributes): boolean => item.removed !== undefined;

const readUnremoved = (item: stored.Attributes): StoredFile | undefined =>
  isRemoved(item) ? undefined : readFile(item);

/** Id of the item with the sum of an account's bytes; it sorts after all files. */
const STORAGE = 'storage';
export const IS_THERE = 'attribute_exists(id) AND attribute_not_exists(removed)';

export const itemKey = ({ account, id }: Pick<StoredFile, 'account' | 'id'>) => ({ account, id });

/** Adds to the sum of an account's bytes, if that is at most the given one. */
export const countBytes = (table: string, account: string, bytes: number, most?: number) =>
  updateWrite(
    table,
    { account, id: STORAGE },
    {
      add: { bytes },
      ...(most !== undefined && {
        // A missing sum is 0: only a file that exceeds the limit alone does not fit.
        when: most < 0 ? '#bytes <= :most' : 'attribute_not_exists(#bytes) OR #bytes <= :most',
        values: { most },
        returnsItem: true,
      }),
    },
  );

/** Adds the item of a file and its bytes, unless its account would then exceed the limit. */
export const registerFile = async (
  client: DynamoDBClient,
  table: string,
  item: stored.Attributes,
  limitBytes: number,
): ReturnType<FileRepository['create']> => {
  const bytes = stored.number(item, 'bytes');
  const failed = await writeTogether(client, [
    putWrite(table, item),
    countBytes(table, stored.text(item, 'account'), bytes, limitBytes - bytes),
  ]);
  if (failed.length === 0) return { created: true };
  return { created: false, usedBytes: stored.optional(failed[1] ?? {}, 'bytes', stored.number) ?? 0 };
};

export const dynamoFiles = (client: DynamoDBClient, tableName: string): Omit<FileRepository, 'page'> => {
  const table = dynamoTable(client, tableName);
  return {
    create: (file, limitBytes) =>
      registerFile(client, tableName, toItem(file, uploadEndsAt(file)), limitBytes),

    find: findRegisteredFile(client, tableName),

    markArrived: (file) =>
      table.update(itemKey(file), {
        set: { arrived: true, due_at: file.expiresAt },
        remove: ['unsettled'],
        ...isUnchanged(file),
      }),

    remove: (file, keptUntil) => table.update(itemKey(file), removal(file, keptUntil)),
  };
};

/** Fails if somebody has kept or released the file since it was read. */
const isUnchanged = ({ expiresAt }: StoredFile) => ({
  when: `${IS_THERE} AND expiresAt = :expires`,
  values: { expires: expiresAt },
});

const removal = (file: StoredFile, keptUntil: number): Change => ({
  set: { removed: true, due_at: keptUntil },
  ...isUnchanged(file),
});

/** Renames a file, or makes it last for another time; the object is changed until `claimedUntil`. */
const fileChange = (file: StoredFile, { title, expiresAt, claimedUntil }: FileChange): Change => {
  const { when, values } = isUnchanged(file);
  return {
    set: {
      ...(title !== undefined && { title: title ?? undefined }),
      ...(expiresAt !== undefined && { expiresAt, due_at: claimedUntil, unsettled: true }),
    },
    when: `${when} AND attribute_not_exists(unsettled)`,
    values,
  };
};

export const dynamoFileChanges = (
  table: string,
  audit: AuditTrail,
  countStorage: (change: StorageChange) => TransactWriteItem,
): FileChanges => ({
  change: async (file, change, entry, storage) => {
    const counted = storage === undefined ? [] : [countStorage(storage)];
    const write = updateWrite(table, itemKey(file), fileChange(file, change));
    return (await audit.write([write, ...counted], entry)).length === 0;
  },
});

export const dynamoFileDeletion = (
  table: string,
  audit: AuditTrail,
  returnStorage: (account: string, bytes: number) => TransactWriteItem,
): FileDeletion => ({
  delete: async (file, keptUntil, entry) => {
    const returned = isKept(file) ? [returnStorage(file.account, file.bytes)] : [];
    const write = updateWrite(table, itemKey(file), removal(file, keptUntil));
    return (await audit.write([write, ...returned], entry)).length === 0;
  },
});

/** A generated image: its bytes have been stored, and it does not count towards the storage. */
export const outputWrite = (table: string, file: StoredFile): TransactWriteItem =>
  putWrite(table, toItem(file, file.expiresAt));

/** Only for the clean-up: reads the files of all accounts. */
export const dynamoFileCleanUp = (client: DynamoDBClient, table: string, logger: Logger): FileCleanUp => ({
  due: (until) =>
    dueItems(dynamoTable(client, table, { logger, key: ['account', 'id'] }), DUE_INDEX, until, (item) => ({
      file: readFile(item),
      removed: isRemoved(item),
    })),

  forget: async (file) => {
    // The condition fails if the file is already forgotten, so that its bytes are subtracted once.
    const removal = removeWrite(table, itemKey(file), { when: 'attribute_exists(removed)' });
    const uncount = countsTowardsStorage(file) ? [countBytes(table, file.account, -file.bytes)] : [];
    await writeTogether(client, [removal, ...uncount]);
  },
});

/** A response of Lambda holds 6 MB; a name can take a kilobyte, and a prompt much more. */
const MAX_TEXT_BYTES = 3_000_000;

const countTextBytes = ({ name, output }: StoredFile): number =>
  Buffer.byteLength(name) + (output === undefined ? 0 : Buffer.byteLength(JSON.stringify(output.prompt)));

/** Bounds the work for a selective filter; the page then says where the next one starts. */
const MAX_QUERIES = 25;

type Range = { readonly from: string; readonly to: string };

/** Ids begin with their time. A tilde sorts after all of their letters. */
const toRange = ({ createdFrom, createdBefore }: FileFilter): Range => ({
  from: `${FILE_PREFIX}${createdFrom === undefined ? '' : encodeTime(createdFrom)}`,
  to: `${FILE_PREFIX}${createdBefore === undefined ? '~' : encodeTime(createdBefore)}`,
});

/** DynamoDB rejects a start outside of the range; a start before it means from the beginning, one after it nothing. */
const isBeyond = (after: string, { from, to }: Range, newestFirst: boolean): boolean =>
  newestFirst ? after < from : after > to;
const isWithin = (after: string, { from, to }: Range): boolean => after >= from && after <= to;

/** Ids sort by time, so a page can start after a file that no longer exists. */
export const dynamoFilePages = (
  client: DynamoDBClient,
  tableName: string,
  logger: Logger,
): Pick<FileRepository, 'page'> => ({
  page: async (account, { limit, newestFirst, after, filter }, now) => {
    const range = toRange(filter ?? {});
    if (range.from > range.to || (after !== undefined && isBeyond(after, range, newestFirst)))
      return { items: [], hasMore: false };
    const table = dynamoTable(client, tableName, { logger, key: ['account', 'id'] });
    const files: StoredFile[] = [];
    let [textBytes, queries] = [0, 0];
    let start =
      after !== undefined && isWithin(after, range) ? stored.encode({ account, id: after }) : undefined;
    do {
      const query = {
        where: 'account = :account AND id BETWEEN :from AND :to',
        values: { account, ...range },
        newestFirst,
        limit: filter === undefined ? limit + 1 - files.length : undefined,
        after: start,
      };
      const { items, next } = await table.page(query, readUnremoved);
      for (const file of items) {
        if (now >= file.expiresAt || (filter !== undefined && !matchesFile(file, filter))) continue;
        if (files.length === limit || textBytes > MAX_TEXT_BYTES) return { items: files, hasMore: true };
        files.push(file);
        textBytes += countTextBytes(file);
      }
      queries += 1;
      start = next;
    } while (start !== undefined && (filter === undefined || queries < MAX_QUERIES));
    return { items: files, hasMore: start !== undefined, resumeAfter: start?.id?.S };
  },
});

/** Separate from the repository, so that functions that only look files up bundle nothing else. */
export const findRegisteredFile =
  (client: DynamoDBClient, table: string): FileRepository['find'] =>
  (account, id) =>
    dynamoTable(client, table).get({ account, id }, readUnremoved);

/** Finds files to use: until its arrival is noticed, an upload ends with the right of the person who started it. */
export const findUsableFile = (
  client: DynamoDBClient,
  table: string,
  members: MemberRepository,
): FileRepository['find'] => {
  const find = findRegisteredFile(client, table);
  return async (account, id) => {
    const file = await find(account, id);
    return file !== undefined && (file.arrived || (await mayUpload(members, file))) ? file : undefined;
  };
};

export const usableFiles = (
  client: DynamoDBClient,
  table: string,
  members: MemberRepository,
): Omit<FileRepository, 'page'> => ({
  ...dynamoFiles(client, table),
  find: findUsableFile(client, table, members),
});

/** The item decides whether a file exists: a signed URL may have accepted an object after the deletion. */
export const registeredFiles = (find: FileRepository['find'], objects: FileReader): FileReader => ({
  openFile: async ({ account, id }, firstBytes) => {
    const file = await find(account, id);
    const opened = file && (await objects.openFile(file, firstBytes));
    return opened && { ...opened, expiresAt: file.expiresAt };
  },
});
