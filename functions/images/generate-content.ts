import { readImageAction } from '../catalogue/api/model-actions.ts';
import { streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { FEATURES, readEnvironment } from '../platform/runtime/environment.ts';
import { IMAGE_ENDPOINTS } from './api/endpoints.ts';
import { nativeImages } from './native-images.ts';
import { CHAT_IMAGES } from './settings.ts';

export const ENVIRONMENT = { ...CHAT_IMAGES, ...FEATURES };
const environment = readEnvironment(ENVIRONMENT);
const generate = nativeImages(environment);

export const handler = streamedEndpoint(IMAGE_ENDPOINTS.generateContent, async (request) => {
  const { model, action } = readImageAction(request.path.modelAction, environment.FEATURES);
  return generate(model, action, request);
});
