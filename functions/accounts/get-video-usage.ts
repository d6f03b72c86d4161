import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { videoUsageResult } from './api/usage-object.ts';
import { VIDEO_USAGE } from './api/usage-query.ts';
import { useEndpoint } from './usage-endpoint.ts';

export const handler = useEndpoint(
  readEnvironment(ENVIRONMENTS['get-video-usage']),
  VIDEO_USAGE,
  videoUsageResult,
);
