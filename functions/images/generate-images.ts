import { readJsonContent } from '../platform/body/json-body.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { readGenerateImages } from './api/images-request.ts';
import { imagesEndpoint } from './images-endpoint.ts';

export const handler = imagesEndpoint({
  environment: readEnvironment(ENVIRONMENTS['generate-images']),
  family: 'image_generation',
  readFields: readJsonContent,
  readRequest: readGenerateImages,
});
