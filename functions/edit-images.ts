import { readBody } from './api/body/request-body.ts';
import { readEditImages } from './api/images/images-request.ts';
import { imagesEndpoint } from './composition/images-endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = imagesEndpoint({
  environment: readEnvironment(ENVIRONMENTS['edit-images']),
  family: 'image_edit',
  readFields: readBody,
  readRequest: readEditImages,
});
