import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { logger } from '../identity/authentication/endpoint.ts';
import { imagePreviews } from '../images/image-previews.ts';
import { asDomainError } from '../platform/runtime/http.ts';
import { previewContent } from './api/image-result.ts';
import type { Content } from './domain/tools.ts';
import type { McpEnvironment } from './settings.ts';

/** More would flood the context of a model. */
const MAX_PREVIEWS = 2;

/** Small versions of the images, for the model to look at; an image without one is only a link. */
export const previewer = (client: DynamoDBClient, environment: McpEnvironment) => {
  const preview = imagePreviews(client, environment);
  return async (account: string, fileIds: readonly string[]): Promise<readonly Content[]> => {
    const previews = fileIds.slice(0, MAX_PREVIEWS).map(async (id) => {
      try {
        return previewContent((await preview(account, id)).bytes);
      } catch (error) {
        asDomainError(error, logger);
        return [];
      }
    });
    return (await Promise.all(previews)).flat();
  };
};
