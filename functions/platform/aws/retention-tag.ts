import { CopyObjectCommand, DeleteObjectTaggingCommand, type S3Client } from '@aws-sdk/client-s3';
import { LIMITED } from '../domain/retention.ts';
import { hasName } from './aws-clients.ts';

/** The tag of an object that the bucket deletes by age, as a header. */
export const LIMITED_TAG = { Tagging: `${LIMITED.name}=${LIMITED.value}` } as const;

export type ObjectPlace = { readonly Bucket: string; readonly Key: string };

export const copySource = ({ Bucket, Key }: ObjectPlace): string =>
  [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/');

/** From now on, the bucket does not delete the object by age. */
export const keepObject = async (client: S3Client, place: ObjectPlace): Promise<void> => {
  await ifPresent(client.send(new DeleteObjectTaggingCommand(place)));
};

/** An object that has just been deleted needs no tag. */
const ifPresent = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call;
  } catch (error) {
    if (!hasName(error, 'NoSuchKey')) throw error;
  }
};

/** Makes the object as young as a new one, because the bucket counts its days from the last write. */
export const limitObject = async (
  client: S3Client,
  place: ObjectPlace,
  described: { readonly ContentType: string; readonly Metadata?: Record<string, string> },
): Promise<void> => {
  await ifPresent(
    client.send(
      new CopyObjectCommand({
        ...place,
        CopySource: copySource(place),
        MetadataDirective: 'REPLACE',
        ...described,
        TaggingDirective: 'REPLACE',
        ...LIMITED_TAG,
      }),
    ),
  );
};
