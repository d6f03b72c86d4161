import type { Series } from './check.ts';
import { consoleChecks } from './checks/console.ts';
import { firstFrameSeries, framesCheck, referencesCheck } from './checks/image-modes.ts';
import { imageChecks } from './checks/images.ts';
import { longChecks } from './checks/long.ts';
import { refusalChecks } from './checks/refusals.ts';
import { PREFLIGHT_CHECK, preflightCheck, requestChecks } from './checks/requests.ts';
import { uploadCheck } from './checks/signed-upload.ts';
import { textVideoSeries } from './checks/text-video.ts';
import { webhookCheck } from './checks/webhooks.ts';
import type { SmokeOptions } from './options.ts';

export type Plan = {
  /** Series run side by side. */
  readonly series: readonly Series[];
  /** Names of checks that are left out, with the reason. */
  readonly skipped: readonly string[];
};

export const planChecks = ({ long, sampleGenerator, origin }: SmokeOptions): Plan => ({
  series: [
    ...[...refusalChecks, ...consoleChecks, ...requestChecks].map((check) => [check]),
    ...(origin === undefined ? [] : [[preflightCheck(origin)]]),
    [uploadCheck],
    [webhookCheck],
    textVideoSeries(),
    firstFrameSeries(),
    [framesCheck],
    [referencesCheck],
    ...imageChecks.map((check) => [check]),
    ...(long && sampleGenerator ? longChecks.map((check) => [check]) : []),
  ],
  skipped: [
    ...(origin === undefined ? [`${PREFLIGHT_CHECK}: give an origin of allowedOrigins with --origin`] : []),
    ...(long && !sampleGenerator
      ? longChecks.map(({ name }) => `${name}: the upstream cannot be asked for it`)
      : []),
  ],
});

/** What the run will have generated, in the quantities that are charged. */
export const quantitiesOf = ({ series }: Plan): string => {
  const checks = series.flat();
  const seconds = checks.reduce((sum, { videoSeconds = 0 }) => sum + videoSeconds, 0);
  const images = checks.reduce((sum, check) => sum + (check.images ?? 0), 0);
  return `${seconds} seconds of video and ${images} images of 4K`;
};
