import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { getImageUsage } from './api/endpoints.ts';
import { imageUsageResult } from './api/usage-object.ts';
import { IMAGE_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

export const handler = usageEndpoint(
  readEnvironment(ENVIRONMENT),
  getImageUsage,
  IMAGE_USAGE,
  imageUsageResult,
);
