import { readJsonContent } from './api/body/json-body.ts';
import { readGenerateImages } from './api/images/images-request.ts';
import { imagesEndpoint } from './composition/images-endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = imagesEndpoint({
  environment: readEnvironment(ENVIRONMENTS['generate-images']),
  family: 'image_generation',
  readFields: readJsonContent,
  readRequest: readGenerateImages,
});
