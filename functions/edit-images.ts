import { readBody } from './api/body/request-body.ts';
import { readEditImages } from './api/images/images-request.ts';
import { imageLoader } from './composition/image-files.ts';
import { imagesEndpoint } from './composition/images-endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

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
