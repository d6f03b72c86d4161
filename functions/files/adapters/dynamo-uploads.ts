import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  boolean,
  encode,
  maps,
  number,
  optional,
  text,
} from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/contention.ts';
import { uploadEndsAt } from '../domain/files.ts';
import { receivedBytes, type Upload, type UploadRepository } from '../domain/uploads.ts';
import { countBytes, IS_THERE, isRemoved, itemKey, readFile, toItem, writeAll } from './dynamo-files.ts';

/** An upload is a file with more attributes, so that the clean-up removes it like any file that never arrives. */
const toUploadItem = ({ file, secretHash, hasKnownLength, chunks }: Upload): Attributes => ({
  ...toItem(file, uploadEndsAt(file)),
  ...encode({ upload_secret: secretHash, length_known: hasKnownLength, chunks, received: 0 }),
});

/** Undefined for a file that does not come in chunks. */
const readUpload = (item: Attributes): Upload | undefined => {
  const secretHash = optional(item, 'upload_secret', text);
  if (secretHash === undefined) return undefined;
  return {
    file: readFile(item),
    secretHash,
    hasKnownLength: boolean(item, 'length_known'),
    chunks: maps(item, 'chunks').map((chunk) => ({
      offset: number(chunk, 'offset'),
      bytes: number(chunk, 'bytes'),
      sha256: text(chunk, 'sha256'),
    })),
    lastSha256: optional(item, 'last_sha256', text),
  };
};

export const dynamoUploads = (client: DynamoDBClient, table: string): UploadRepository => ({
  create: async (upload, limitBytes) => {
    const { account, bytes } = upload.file;
    const failed = await writeAll(
      client,
      { Put: { TableName: table, Item: toUploadItem(upload) } },
      countBytes(table, account, bytes, limitBytes - bytes),
    );
    if (failed === undefined) return { created: true };
    return { created: false, usedBytes: optional(failed[1] ?? {}, 'bytes', number) ?? 0 };
  },

  find: async (account, id) => {
    const { Item } = await client.send(
      new GetItemCommand({ ...itemKey(table, { account, id }), ConsistentRead: true }),
    );
    return Item === undefined || isRemoved(Item) ? undefined : readUpload(Item);
  },

  addChunk: (upload, chunk) =>
    conditionHeld(() =>
      client.send(
        new UpdateItemCommand({
          ...itemKey(table, upload.file),
          UpdateExpression: 'SET received = :end, chunks = list_append(chunks, :chunks)',
          ConditionExpression: `${IS_THERE} AND received = :offset AND attribute_not_exists(sha256)`,
          ExpressionAttributeValues: encode({
            ':offset': chunk.offset,
            ':end': chunk.offset + chunk.bytes,
            ':chunks': [chunk],
          }),
        }),
      ),
    ),

  settle: async (upload, { bytes, mimeType, sha256, lastSha256 }) => {
    const { file } = upload;
    const failed = await writeAll(
      client,
      {
        Update: {
          ...itemKey(table, file),
          UpdateExpression: 'SET #bytes = :bytes, mimeType = :type, sha256 = :hash, last_sha256 = :last',
          // The number of bytes is compared, so that the difference is counted once.
          ConditionExpression: `${IS_THERE} AND received = :received AND #bytes = :counted AND attribute_not_exists(sha256)`,
          ExpressionAttributeNames: { '#bytes': 'bytes' },
          ExpressionAttributeValues: encode({
            ':bytes': bytes,
            ':type': mimeType,
            ':hash': sha256,
            ':last': lastSha256,
            ':received': receivedBytes(upload),
            ':counted': file.bytes,
          }),
        },
      },
      ...(bytes === file.bytes ? [] : [countBytes(table, file.account, bytes - file.bytes)]),
    );
    return failed === undefined;
  },
});
