import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { s3Files, s3Previews } from '../files/adapters/s3-files.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { s3Client } from '../platform/aws/aws-clients.ts';
import { shrinkImage } from './adapters/convert-image.ts';
import { previewImage } from './usecases/preview-image.ts';

type Environment = { readonly FILE_TABLE: string; readonly MEDIA_BUCKET: string };

export const imagePreviews = (client: DynamoDBClient, { FILE_TABLE, MEDIA_BUCKET }: Environment) => {
  const s3 = s3Client();
  const dependencies = {
    files: { find: findRegisteredFile(client, FILE_TABLE) },
    objects: s3Files(s3, MEDIA_BUCKET),
    previews: s3Previews(s3, MEDIA_BUCKET),
    shrink: shrinkImage,
    logger,
    now: Date.now,
  };
  return (account: string, fileId: string) => previewImage(dependencies, account, fileId);
};
