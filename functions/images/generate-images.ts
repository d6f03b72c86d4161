import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { convertImage } from './adapters/convert-image.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { readGenerateImages } from './api/read-images-request.ts';
import { imagesEndpoint } from './image-service.ts';
import { IMAGES } from './settings.ts';

export const ENVIRONMENT = IMAGES;

export const handler = imagesEndpoint({
  endpoint: IMAGE_ENDPOINTS.generateImages,
  environment: readEnvironment(ENVIRONMENT),
  family: 'image_generation',
  readFields: readJsonContent,
  readRequest: readGenerateImages,
  convert: convertImage,
});
