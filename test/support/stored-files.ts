import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { toItem } from '../../functions/files/adapters/dynamo-files.ts';
import { fileKey, removedFileKey } from '../../functions/files/domain/file-keys.ts';
import { FILE_EXPIRY_METADATA } from '../../functions/files/domain/files.ts';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { openClients } from './aws-clients.ts';
import type { ServiceAddress } from './service.ts';

type Place = Pick<ServiceAddress, 'operator' | 'mediaBucket' | 'filesTable'>;

/** Puts a file and its item where an account's files lie, and returns its id. */
export const putFile = async (
  { operator, mediaBucket, filesTable }: Place,
  account: string,
  bytes: Uint8Array,
  expiresAt = Date.now() + 3_600_000,
): Promise<string> => {
  const id = `file_${randomUUID().replaceAll('-', '')}`;
  const file = { id, account, name: 'a', bytes: bytes.length, mimeType: 'image/jpeg', expiresAt } as const;
  const Item = toItem({ ...file, purpose: 'vision', createdAt: Date.now(), arrived: true }, expiresAt);
  await openClients(operator).dynamo.send(new PutItemCommand({ TableName: filesTable, Item }));
  await openClients(operator).s3.send(
    new PutObjectCommand({
      Bucket: mediaBucket,
      Key: fileKey(account, id),
      Body: bytes,
      Metadata: { [FILE_EXPIRY_METADATA]: String(expiresAt) },
    }),
  );
  return id;
};

/** Takes a file away as earlier releases did: it waits elsewhere for the tasks that were accepted with it. */
export const removeFile = async (
  { operator, mediaBucket: Bucket, filesTable }: Place,
  account: string,
  id: string,
): Promise<void> => {
  const remove = new DeleteItemCommand({ TableName: filesTable, Key: encode({ account, id }) });
  const { dynamo, s3 } = openClients(operator);
  await dynamo.send(remove);
  const Key = fileKey(account, id);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  if (Body === undefined) throw new Error(`${id} has no body`);
  const bytes = await Body.transformToByteArray();
  await s3.send(new PutObjectCommand({ Bucket, Key: removedFileKey(Key), Body: bytes }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }));
};
