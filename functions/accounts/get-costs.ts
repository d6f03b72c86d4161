import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { costResult } from './api/usage-object.ts';
import { COSTS } from './api/usage-query.ts';
import { useEndpoint } from './usage-endpoint.ts';

export const handler = useEndpoint(readEnvironment(ENVIRONMENTS['get-costs']), COSTS, costResult);
