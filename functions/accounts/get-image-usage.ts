export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { imageUsageResult } from './api/use-object.ts';
import { IMAGE_USAGE } from './api/use-query.ts';
import { useEndpoint } from './use-endpoint.ts';

export const handler = useEndpoint(readEnvironment(ENVIRONMENT), IMAGE_USAGE, imageUsageResult);
