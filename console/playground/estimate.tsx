import { pixelSize } from '../../functions/catalogue/domain/models.ts';
import { useQuery } from '../api/hooks.ts';
import { finishedVideos } from '../api/videos.ts';
import { findDurations } from '../parts/durations.ts';
import { formatDuration, formatNumber } from '../parts/format.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import type { VideoForm } from './video-form.ts';

export type EstimateProps = { readonly form: VideoForm };

/** How long the video of the form will take, judging by the last ones with its model and resolution. */
export const Estimate = ({ form: { model, resolution, aspectRatio } }: EstimateProps) => {
  const { data, error } = useQuery(finishedVideos);
  if (data === undefined && error === null) return null;
  const known = findDurations(data ?? [], { model, size: pixelSize(resolution, aspectRatio) });
  return known === undefined
    ? texts.estimate.none
    : texts.estimate.whole(formatDuration(known.whole), formatNumber(known.count));
};
