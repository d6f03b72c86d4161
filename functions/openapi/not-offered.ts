import { endpoint } from '../identity/authentication/endpoint.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { KEYS } from '../platform/runtime/environment.ts';
import { notOffered } from './api/endpoints.ts';

export const ENVIRONMENT = KEYS;

/** Operations of OpenAI's API that this service does not offer get a clear error instead of a 404. */
export const handler = endpoint(notOffered, async () => {
  throw new DomainError(
    'not_offered',
    'Remixing, editing and extending videos and characters are not supported: create a new video, from an image of the old one as input_reference or with reference_images.',
  );
});
