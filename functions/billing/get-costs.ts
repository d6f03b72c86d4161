import { USAGE_ENDPOINTS } from './api/endpoints.ts';
import { costResult } from './api/usage-object.ts';
import { COSTS } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export { ENVIRONMENT } from './usage-endpoint.ts';

export const handler = usageEndpoint(USAGE_ENDPOINTS.getCosts, COSTS, costResult);
