import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as stored from '../../platform/aws/attributes.ts';
import { writeTogether } from '../../platform/aws/contention.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { updateWrite } from '../../platform/aws/table-writes.ts';
import { uploadEndsAt } from '../domain/files.ts';
import { receivedBytes, type Upload, type UploadRepository } from '../domain/uploads.ts';
import { countBytes, IS_THERE, isRemoved, itemKey, readFile, registerFile, toItem } from './dynamo-files.ts';

/** An upload is a file with more attributes, so that the clean-up removes it like any file that never arrives. */
const toUploadItem = ({ file, secretHash, hasKnownLength, chunks }: Upload): stored.Attributes => ({
  ...toItem(file, uploadEndsAt(file)),
  ...stored.encode({
    upload_secret: secretHash,
    length_known: hasKnownLength,
    chunks,
    received: 0,
  }),
});

/** Undefined for a file that does not come in chunks. */
const readUpload = (item: stored.Attributes): Upload | undefined => {
  const secretHash = stored.optional(item, 'upload_secret', stored.text);
  if (secretHash === undefined) return undefined;
  return {
    file: readFile(item),
    secretHash,
    hasKnownLength: stored.boolean(item, 'length_known'),
    chunks: stored.list(item, 'chunks', stored.map).map((chunk) => ({
      ...stored.all(chunk, stored.number, 'offset', 'bytes'),
      sha256: stored.text(chunk, 'sha256'),
    })),
    lastSha256: stored.optional(item, 'last_sha256', stored.text),
  };
};

export const dynamoUploads = (client: DynamoDBClient, tableName: string): UploadRepository => {
  const table = dynamoTable(client, tableName);
  return {
    create: (upload, limitBytes) => registerFile(client, tableName, toUploadItem(upload), limitBytes),

    find: (account, id) =>
      table.get({ account, id }, (item) => (isRemoved(item) ? undefined : readUpload(item))),

    addChunk: (upload, chunk) =>
      table.update(itemKey(upload.file), {
        expression: 'SET received = :end, chunks = list_append(chunks, :chunks)',
        when: `${IS_THERE} AND received = :offset AND attribute_not_exists(sha256)`,
        values: { offset: chunk.offset, end: chunk.offset + chunk.bytes, chunks: [chunk] },
      }),

    settle: async (upload, { bytes, mimeType, sha256, lastSha256 }) => {
      const { file } = upload;
      const write = updateWrite(tableName, itemKey(file), {
        set: { bytes, mimeType, sha256, last_sha256: lastSha256 },
        // The number of bytes is compared, so that the difference is counted once.
        when: `${IS_THERE} AND received = :received AND #bytes = :counted AND attribute_not_exists(sha256)`,
        values: { received: receivedBytes(upload), counted: file.bytes },
      });
      const difference = bytes - file.bytes;
      const counted = difference === 0 ? [] : [countBytes(tableName, file.account, difference)];
      return (await writeTogether(client, [write, ...counted])).length === 0;
    },
  };
};
