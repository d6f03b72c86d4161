import { imageUsageResult } from './api/organization/use-object.ts';
import { IMAGE_USAGE } from './api/organization/use-query.ts';
import { useEndpoint } from './composition/use-endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = useEndpoint(
  readEnvironment(ENVIRONMENTS['get-image-usage']),
  IMAGE_USAGE,
  imageUsageResult,
);
