import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { imageUsageResult } from './api/usage-object.ts';
import { IMAGE_USAGE } from './api/usage-query.ts';
import { useEndpoint } from './usage-endpoint.ts';

export const handler = useEndpoint(
  readEnvironment(ENVIRONMENTS['get-image-usage']),
  IMAGE_USAGE,
  imageUsageResult,
);
