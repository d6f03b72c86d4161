import { USAGE_ENDPOINTS } from './api/endpoints.ts';
import { videoUsageResult } from './api/usage-object.ts';
import { VIDEO_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export { ENVIRONMENT } from './usage-endpoint.ts';

export const handler = usageEndpoint(USAGE_ENDPOINTS.getVideoUsage, VIDEO_USAGE, videoUsageResult);
