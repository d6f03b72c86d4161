import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findUsableFile } from '../files/adapters/dynamo-files.ts';
import { s3Files, s3Previews } from '../files/adapters/s3-files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { shrinkImage } from './adapters/convert-image.ts';
import { previewImage } from './usecases/preview-image.ts';

type Environment = {
  readonly FILE_TABLE: string;
  readonly MEDIA_BUCKET: string;
  readonly MEMBER_TABLE?: string | undefined;
};

export const imagePreviews = (
  client: DynamoDBClient,
  { FILE_TABLE, MEDIA_BUCKET, MEMBER_TABLE }: Environment,
) => {
  const s3 = s3Client();
  const dependencies = {
    files: { find: findUsableFile(client, FILE_TABLE, dynamoMembers(client, MEMBER_TABLE)) },
    objects: s3Files(s3, MEDIA_BUCKET),
    previews: s3Previews(s3, MEDIA_BUCKET),
    shrink: shrinkImage,
    logger,
    now: Date.now,
  };
  return (account: string, fileId: string) => previewImage(dependencies, account, fileId);
};
