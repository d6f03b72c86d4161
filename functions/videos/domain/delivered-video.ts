import { pixelSize } from '../../catalogue/domain/models.ts';
import type { TaskRequest, VideoFile } from './task.ts';

/** Compares the video that an upstream delivered with the one that was requested: some servers ignore options. */

export const DIFFERENCES = ['size', 'seconds'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Sound and picture of a video rarely end at the same moment. */
const TOLERATED_SECONDS = 0.5;

type Delivered = Pick<VideoFile, 'width' | 'height' | 'seconds'>;

/** Such as `1280x720`. */
export const deliveredSize = ({ width, height }: Delivered): string | undefined =>
  width === undefined || height === undefined ? undefined : `${width}x${height}`;

/** Undefined if the file tells neither its size nor its duration. */
export const findDifferences = (
  { resolution, aspectRatio, seconds }: Pick<TaskRequest, 'resolution' | 'aspectRatio' | 'seconds'>,
  delivered: Delivered,
): Difference[] | undefined => {
  const size = deliveredSize(delivered);
  if (size === undefined && delivered.seconds === undefined) return undefined;
  const differs = {
    size: size !== undefined && size !== pixelSize(resolution, aspectRatio),
    seconds: Math.abs((delivered.seconds ?? seconds) - seconds) > TOLERATED_SECONDS,
  } satisfies Record<Difference, boolean>;
  return DIFFERENCES.filter((name) => differs[name]);
};
