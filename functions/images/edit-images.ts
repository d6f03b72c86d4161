import { readBody } from '../platform/body/request-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { convertImage } from './adapters/convert-image.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { readEditImages } from './api/read-images-request.ts';
import { IMAGES, imagesEndpoint } from './image-service.ts';

export const ENVIRONMENT = IMAGES;

export const handler = imagesEndpoint({
  endpoint: IMAGE_ENDPOINTS.editImages,
  environment: readEnvironment(ENVIRONMENT),
  family: 'image_edit',
  readFields: readBody,
  readRequest: readEditImages,
  convert: convertImage,
});
