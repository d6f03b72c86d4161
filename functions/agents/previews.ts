import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findRegisteredFile } from '../files/adapters/dynamo-files.ts';
import { s3Files, s3Previews } from '../files/adapters/s3-files.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { shrinkImage } from '../images/adapters/convert-image.ts';
import { previewImage } from '../images/usecases/preview-image.ts';
import { s3Client } from '../platform/aws/aws-clients.ts';
import { asDomainError } from '../platform/runtime/http.ts';
import { previewContent } from './api/image-result.ts';
import type { Content } from './domain/tools.ts';
import type { McpEnvironment } from './settings.ts';

/** More would flood the context of a model. */
const MAX_PREVIEWS = 2;

/** Small versions of the images, for the model to look at; an image without one is only a link. */
export const previewer = (client: DynamoDBClient, { FILE_TABLE, MEDIA_BUCKET }: McpEnvironment) => {
  const s3 = s3Client();
  const dependencies = {
    files: { find: findRegisteredFile(client, FILE_TABLE) },
    objects: s3Files(s3, MEDIA_BUCKET),
    previews: s3Previews(s3, MEDIA_BUCKET),
    shrink: shrinkImage,
    logger,
    now: Date.now,
  };
  return async (account: string, fileIds: readonly string[]): Promise<readonly Content[]> => {
    const previews = fileIds.slice(0, MAX_PREVIEWS).map(async (id) => {
      try {
        return previewContent((await previewImage(dependencies, account, id)).bytes);
      } catch (error) {
        asDomainError(error, logger);
        return [];
      }
    });
    return (await Promise.all(previews)).flat();
  };
};
