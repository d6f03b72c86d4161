import { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { videoUsageResult } from './api/use-object.ts';
import { VIDEO_USAGE } from './api/use-query.ts';
import { useEndpoint } from './use-endpoint.ts';

export const handler = useEndpoint(
  readEnvironment(ENVIRONMENTS['get-video-usage']),
  VIDEO_USAGE,
  videoUsageResult,
);
