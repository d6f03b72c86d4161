import { readBody } from '../platform/body/request-body.ts';
import { FILES, REQUEST_SIZE, readEnvironment } from '../platform/runtime/environment.ts';
import { convertImage } from './adapters/convert-image.ts';
import { readEditImages } from './api/images-request.ts';
import { IMAGES, imageLoader, imagesEndpoint } from './image-service.ts';

export const ENVIRONMENT = { ...IMAGES, ...FILES, ...REQUEST_SIZE };
const environment = readEnvironment(ENVIRONMENT);
const load = imageLoader(environment);

export const handler = imagesEndpoint({
  environment,
  family: 'image_edit',
  readFields: readBody,
  readRequest: async (fields, caller) => {
    const edit = readEditImages(fields);
    return { ...edit, request: await load(caller, fields, edit.request) };
  },
  convert: convertImage,
});
