export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { costResult } from './api/use-object.ts';
import { COSTS } from './api/use-query.ts';
import { useEndpoint } from './use-endpoint.ts';

export const handler = useEndpoint(readEnvironment(ENVIRONMENT), COSTS, costResult);
