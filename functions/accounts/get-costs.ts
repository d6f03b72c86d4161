import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { costResult } from './api/usage-object.ts';
import { COSTS } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const handler = usageEndpoint(readEnvironment(ENVIRONMENTS['get-costs']), COSTS, costResult);
