import { readBody } from '../platform/body/request-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { convertImage } from './adapters/convert-image.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { readEditImages } from './api/read-images-request.ts';
import { imagesEndpoint } from './image-service.ts';
import { IMAGES } from './settings.ts';

export const ENVIRONMENT = IMAGES;

export const handler = imagesEndpoint({
  endpoint: IMAGE_ENDPOINTS.editImages,
  environment: readEnvironment(ENVIRONMENT),
  family: 'image_edit',
  readFields: readBody,
  readRequest: readEditImages,
  convert: convertImage,
});
