import { costResult } from './api/organization/use-object.ts';
import { COSTS } from './api/organization/use-query.ts';
import { useEndpoint } from './composition/use-endpoint.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

export const handler = useEndpoint(readEnvironment(ENVIRONMENTS['get-costs']), COSTS, costResult);
