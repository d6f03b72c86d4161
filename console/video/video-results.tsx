import { Download } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { pixelSize } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { isSameBatch } from '../api/batches.ts';
import { ApiError } from '../api/errors.ts';
import { useQuery } from '../api/hooks.ts';
import { contentUrl, createdIds, finishedVideos, isUnfinished, recentVideos, videos } from '../api/videos.ts';
import { lazyPage, lazyPages } from '../lazy-page.tsx';
import { SmallButton } from '../parts/buttons.tsx';
import { describeWhole, findDurations } from '../parts/durations.ts';
import { ErrorProblem, LoadState, Problem } from '../parts/feedback.tsx';
import { formatNumber, formatSize } from '../parts/format.ts';
import { useScope } from '../parts/scope.tsx';
import { formatCharge, isExpired, StatusBadge, VideoStage } from '../parts/video-stage.tsx';
import type { VideoForm } from '../playground/video-form.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { follow } from './own-batches.ts';
import { RecentVideos } from './recent-videos.tsx';

const KeepButton = lazyPage(async () => (await lazyPages()).KeepButton, true);
const ShareButton = lazyPage(async () => (await lazyPages()).ShareButton, true);
const VideoFailure = lazyPage(async () => (await lazyPages()).VideoFailure);

type ResultProps = Pick<VideoResultsProps, 'onUseAgain' | 'onContinue'> & { readonly id: string };

const VideoResult = ({ id, onUseAgain, onContinue }: ResultProps) => {
  const query = useQuery(videos, id);
  const { data: video, error } = query;
  // The list of recent videos may be later.
  useEffect(() => {
    if (video !== undefined && createdIds.has(id)) follow([video]);
  }, [id, video]);
  const mayCreate = useIsAllowed('create');
  // A video that someone waits for starts at once; one that is opened later does not.
  const isAwaited = useRef(false);
  if (video !== undefined && isUnfinished(video)) isAwaited.current = true;
  if (error instanceof ApiError && error.status === 404) return <Problem message={texts.task.notFoundText} />;
  if (video === undefined) return <LoadState {...query} />;
  return (
    <div class="stage stack">
      <VideoStage video={video} playsAtOnce={isAwaited.current} Failure={VideoFailure} />
      {error !== null && <ErrorProblem error={error} />}
      <p class="prompt-text" dir="auto">
        {video.prompt}
      </p>
      <div class="row spread">
        <div class="row number">
          <StatusBadge status={video.status} error={video.error} />
          <span class="quiet small">{texts.video.lengthAndSize(video.seconds, formatSize(video.size))}</span>
          {video.request?.seed !== undefined && video.request.seed !== null && (
            <span class="quiet small">{texts.video.seed(video.request.seed)}</span>
          )}
          {video.status === 'completed' && <span class="small">{formatCharge(video)}</span>}
        </div>
        <div class="row">
          {video.status === 'completed' && (
            <a class="button button-small" href={contentUrl(id)} download>
              <Download size={15} aria-hidden />
              {texts.actions.download}
            </a>
          )}
          {video.status === 'completed' && !isExpired(video) && (
            <>
              <ShareButton item={{ video_id: id }} isSmall />
              <KeepButton id={id} isKept={video.kept} name={video.prompt} />
              {mayCreate && (
                <SmallButton onClick={() => onContinue(video)}>{texts.video.continue}</SmallButton>
              )}
            </>
          )}
          <SmallButton onClick={() => onUseAgain(video)}>{texts.actions.useAgain}</SmallButton>
          <Link class="button button-small" href={`/library/${id}`}>
            {texts.video.openTask}
          </Link>
        </div>
      </div>
    </div>
  );
};

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

type VideoResultsProps = {
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

export const Estimate = ({ form: { model, resolution, aspectRatio } }: { readonly form: VideoForm }) => {
  const { data, error } = useQuery(finishedVideos);
  if (data === undefined && error === null) return null;
  return describeWhole(findDurations(data ?? [], { model, size: pixelSize(resolution, aspectRatio) }));
};
