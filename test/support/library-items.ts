import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import { toItem as toFileItem } from '../../functions/files/adapters/dynamo-files.ts';
import { fileKey } from '../../functions/files/domain/file-keys.ts';
import { FILE_EXPIRY_METADATA } from '../../functions/files/domain/files.ts';
import { LIMITED_TAG } from '../../functions/platform/aws/retention-tag.ts';
import { newFileId, newTaskId } from '../../functions/platform/domain/ids.ts';
import { toItem as toTaskItem } from '../../functions/videos/adapters/task-item.ts';
import { videoKey } from '../../functions/videos/domain/media.ts';
import type { Task } from '../../functions/videos/domain/task.ts';
import { openClients } from './aws-clients.ts';
import { aGeneratedImage, anOutput } from './builders/file.ts';
import { aTask } from './builders/task.ts';
import type { ServiceAddress } from './service.ts';

type Place = Pick<ServiceAddress, 'operator' | 'mediaBucket' | 'filesTable' | 'outputs'>;

const WEEK = 7 * 24 * 60 * 60 * 1000;
const KEY_ID = 'key_0123456789abcdef';

type Video = {
  readonly prompt: string;
  readonly createdAt: number;
  /** A failed task without them. */
  readonly bytes?: Uint8Array | undefined;
  readonly change?: Partial<Task>;
};

/** Writes an ended task and its video to the stores, without generating anything, and returns its id. */
export const putVideo = async (
  { operator, mediaBucket, outputs }: Place,
  account: string,
  { prompt, createdAt, bytes, change = {} }: Video,
): Promise<string> => {
  const id = newTaskId(createdAt);
  const request = { ...aTask().request, prompt, seconds: 4 } as const;
  const common = { id, account, keyId: KEY_ID, createdAt, request, work: undefined };
  const key = videoKey({ id, createdAt });
  const ended: Partial<Task> =
    bytes === undefined
      ? { status: 'failed', failedAt: createdAt, error: { code: 'content_blocked', message: 'Blocked.' } }
      : {
          status: 'completed',
          file: { key, bytes: bytes.length },
          completedAt: createdAt,
          expiresAt: createdAt + WEEK,
        };
  const Item = toTaskItem(aTask({ ...common, ...ended, ...change }));
  await openClients(operator).dynamo.send(new PutItemCommand({ TableName: outputs.TaskTableName, Item }));
  if (bytes !== undefined)
    await openClients(operator).s3.send(
      new PutObjectCommand({
        Bucket: mediaBucket,
        Key: key,
        Body: bytes,
        ContentType: 'video/mp4',
        ...LIMITED_TAG,
      }),
    );
  return id;
};

type Image = {
  readonly prompt: string;
  readonly createdAt: number;
  readonly bytes: Uint8Array;
  readonly size?: string;
};

/** Writes a generated image to the stores, without generating anything, and returns its id. */
export const putImage = async (
  { operator, mediaBucket, filesTable }: Place,
  account: string,
  { prompt, createdAt, bytes, size = '1024x1024' }: Image,
): Promise<string> => {
  const id = newFileId(createdAt);
  const expiresAt = createdAt + WEEK;
  const file = aGeneratedImage({
    id,
    account,
    name: `${id}.jpg`,
    bytes: bytes.length,
    mimeType: 'image/jpeg',
    createdAt,
    expiresAt,
    output: anOutput({ model: IMAGE_MODEL, prompt, size, keyId: KEY_ID, amount: '0.04' }),
  });
  await openClients(operator).dynamo.send(
    new PutItemCommand({ TableName: filesTable, Item: toFileItem(file, expiresAt) }),
  );
  await openClients(operator).s3.send(
    new PutObjectCommand({
      Bucket: mediaBucket,
      Key: fileKey(account, id),
      Body: bytes,
      ContentType: 'image/jpeg',
      Metadata: { [FILE_EXPIRY_METADATA]: String(expiresAt) },
      ...LIMITED_TAG,
    }),
  );
  return id;
};
