import { randomUUID } from 'node:crypto';
import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { fileKey, removedFileKey } from '../../../functions/files/domain/file-keys.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { jpegWithBytes } from '../../support/files.ts';
import { call, readId } from '../../support/http.ts';
import { file } from '../../support/images.ts';
import { service } from './service.ts';

export const table = service.filesTable;
export const dynamo = new DynamoDBClient(service.operator);
export const s3 = new S3Client({ ...service.operator, forcePathStyle: true });

/** An account that keeps files in the service, which stores ten megabytes for it. */
export const openAccount = async () => {
  const account = `files-${randomUUID()}`;
  const key = await service.issueKey(account);
  const ids: string[] = [];
  const create = async (request: Parameters<typeof call>[3]) => {
    const answer = await call(service, 'POST', '/v1/files', { key, ...request });
    if (answer.status === 200) ids.push(readId(answer));
    return answer;
  };
  const store = (bytes: number) => {
    const form = new FormData();
    form.append('purpose', 'vision');
    form.append('file', file(jpegWithBytes(bytes), 'a.jpg', 'image/jpeg'));
    return create({ body: form });
  };
  const offer = (bytes: number) =>
    create({ json: { filename: 'a.jpg', bytes, mime_type: 'image/jpeg', purpose: 'vision' } });
  const used = async () => {
    const Key = encode({ account, id: 'storage' });
    const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    return Number(Item?.bytes?.N ?? 0);
  };
  const keys = async () => {
    const list = new ListObjectsV2Command({ Bucket: service.mediaBucket, Prefix: 'files/' });
    const own = new Set(ids.map((id) => fileKey(account, id)));
    return ((await s3.send(list)).Contents ?? []).flatMap(({ Key = '' }) => (own.has(Key) ? [Key] : []));
  };
  const remove = (id: string) => call(service, 'DELETE', `/v1/files/${id}`, { key });
  const find = (id: string) => call(service, 'GET', `/v1/files/${id}`, { key });
  const age = (id: string, changes: Readonly<Record<string, number>>) =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: table,
        Key: encode({ account, id }),
        UpdateExpression: `SET ${Object.keys(changes)
          .map((name) => `${name} = :${name}`)
          .join(', ')}`,
        ExpressionAttributeValues: encode(
          Object.fromEntries(Object.entries(changes).map(([name, value]) => [`:${name}`, value])),
        ),
      }),
    );
  return { account, key, store, offer, used, keys, remove, find, age };
};

export const removedBytes = async (account: string, id: string): Promise<number> => {
  const Key = removedFileKey(fileKey(account, id));
  const { ContentLength } = await s3.send(new GetObjectCommand({ Bucket: service.mediaBucket, Key }));
  return ContentLength ?? 0;
};
