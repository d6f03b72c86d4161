import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { getVideoUsage } from './api/endpoints.ts';
import { videoUsageResult } from './api/usage-object.ts';
import { VIDEO_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const ENVIRONMENT = { ...KEYS, USAGE_TABLE: text };

export const handler = usageEndpoint(
  readEnvironment(ENVIRONMENT),
  getVideoUsage,
  VIDEO_USAGE,
  videoUsageResult,
);
