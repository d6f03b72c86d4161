import { useRef, useState } from 'preact/hooks';
import { pixelSize } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useQuery } from '../api/hooks.ts';
import { finishedVideos, recentVideos } from '../api/videos.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { describeWhole, findDurations } from '../parts/durations.ts';
import { formatNumber } from '../parts/format.ts';
import { lazyPage, lazyPages } from '../shell/lazy-page.tsx';
import { useScope } from '../shell/scope.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { isSameBatch } from './batches.ts';
import { RecentVideos } from './recent-videos.tsx';
import type { VideoForm } from './video-form.ts';
import { VideoResult } from './video-result.tsx';

/** The strip of recent videos, and below it the shown one with its variations. Loads right after the first page. */

const BatchGrid = lazyPage(async () => (await lazyPages()).BatchGrid);

const useRecentVideos = () => {
  const { id, created_at, user } = useCurrentSession();
  const [scope] = useScope();
  const { data } = useQuery(recentVideos, {
    sessionId: id,
    since: created_at,
    personId: user?.id,
    wantsOthers: scope === 'account',
  });
  // The list stays while another one loads, and with it the focus on its switch.
  const latest = useRef(data);
  if (data !== undefined) latest.current = data;
  return latest.current;
};

const findBatch = (videos: readonly VideoObject[], shownId: string | undefined): readonly VideoObject[] => {
  const shown = videos.find(({ id }) => id === shownId);
  return videos
    .filter((video) => shown !== undefined && isSameBatch(shown, video))
    .toSorted((one, other) => (one.request?.seed ?? 0) - (other.request?.seed ?? 0));
};

export type VideoResultsProps = {
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
  readonly onUseAgain: (video: VideoObject) => void;
  readonly onContinue: (video: VideoObject) => void;
};

export const VideoResults = ({ shownId, onShow, ...actions }: VideoResultsProps) => {
  const recent = useRecentVideos();
  const { own = [], others = [] } = recent ?? {};
  // A variation that was opened is shown alone; others are shown with their batch.
  const [openedId, setOpenedId] = useState<string>();
  const batch = findBatch([...own, ...others], shownId);
  const hasGrid = batch.length > 1;
  const open = (id: string): void => {
    setOpenedId(id);
    onShow(id);
  };
  if (shownId === undefined)
    return own.length + others.length === 0 ? null : (
      <RecentVideos own={own} others={others} shownId={shownId} onShow={open} />
    );
  return (
    <div class="stack">
      <div class="strip-place">
        {recent !== undefined && <RecentVideos own={own} others={others} shownId={shownId} onShow={open} />}
      </div>
      {hasGrid && openedId !== shownId ? (
        <BatchGrid videos={batch} onOpen={open} />
      ) : (
        <>
          {hasGrid && (
            <div>
              <SmallButton onClick={() => setOpenedId(undefined)}>
                {texts.batch.all(formatNumber(batch.length))}
              </SmallButton>
            </div>
          )}
          <VideoResult key={shownId} id={shownId} {...actions} />
        </>
      )}
    </div>
  );
};

export type EstimateProps = { readonly form: VideoForm };

export const Estimate = ({ form: { model, resolution, aspectRatio } }: EstimateProps) => {
  const { data, error } = useQuery(finishedVideos);
  if (data === undefined && error === null) return null;
  return describeWhole(findDurations(data ?? [], { model, size: pixelSize(resolution, aspectRatio) }));
};
