import { USAGE_ENDPOINTS } from './api/endpoints.ts';
import { imageUsageResult } from './api/usage-object.ts';
import { IMAGE_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export { ENVIRONMENT } from './usage-endpoint.ts';

export const handler = usageEndpoint(USAGE_ENDPOINTS.getImageUsage, IMAGE_USAGE, imageUsageResult);
