import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { imageUsageResult } from './api/usage-object.ts';
import { IMAGE_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const handler = usageEndpoint(
  readEnvironment(ENVIRONMENTS['get-image-usage']),
  IMAGE_USAGE,
  imageUsageResult,
);
