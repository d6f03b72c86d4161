import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { videoUsageResult } from './api/usage-object.ts';
import { VIDEO_USAGE } from './api/usage-query.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export const handler = usageEndpoint(
  readEnvironment(ENVIRONMENTS['get-video-usage']),
  VIDEO_USAGE,
  videoUsageResult,
);
