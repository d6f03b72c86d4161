import { readJsonContent } from '../platform/body/request-body.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { readGenerateImages } from './api/images-request.ts';
import { imagesEndpoint } from './image-service.ts';

export const handler = imagesEndpoint({
  environment: readEnvironment(ENVIRONMENTS['generate-images']),
  family: 'image_generation',
  readFields: readJsonContent,
  readRequest: readGenerateImages,
});
