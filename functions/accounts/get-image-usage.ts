import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { imageUsageResult } from './api/use-object.ts';
import { IMAGE_USAGE } from './api/use-query.ts';
import { useEndpoint } from './use-endpoint.ts';

export const handler = useEndpoint(
  readEnvironment(ENVIRONMENTS['get-image-usage']),
  IMAGE_USAGE,
  imageUsageResult,
);
