import { readBody } from '../platform/body/request-body.ts';
import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { readEditImages } from './api/images-request.ts';
import { imageLoader } from './image-files.ts';
import { imagesEndpoint } from './images-endpoint.ts';

const environment = readEnvironment(ENVIRONMENTS['edit-images']);
const load = imageLoader(environment);

export const handler = imagesEndpoint({
  environment,
  family: 'image_edit',
  readFields: readBody,
  readRequest: async (fields, caller) => {
    const edit = readEditImages(fields);
    return { ...edit, request: await load(caller, fields, edit.request) };
  },
});
