import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { getCosts } from './api/endpoints.ts';
import { costResult } from './api/usage-object.ts';
import { COSTS } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

export const handler = usageEndpoint(readEnvironment(ENVIRONMENT), getCosts, COSTS, costResult);
