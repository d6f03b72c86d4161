import { Download } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/errors.ts';
import { useQuery } from '../api/hooks.ts';
import { contentUrl, createdIds, isUnfinished, videos } from '../api/videos.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { ErrorProblem, LoadState, Problem } from '../parts/feedback.tsx';
import { formatSize } from '../parts/format.ts';
import { formatCharge, isExpired, StatusBadge, VideoStage } from '../parts/video-stage.tsx';
import { lazyPage, lazyPages } from '../shell/lazy-page.tsx';
import { useIsAllowed } from '../shell/session.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { follow } from './own-batches.ts';

const KeepButton = lazyPage(async () => (await lazyPages()).KeepButton, true);
const ShareButton = lazyPage(async () => (await lazyPages()).ShareButton, true);
const VideoFailure = lazyPage(async () => (await lazyPages()).VideoFailure);

export type ResultProps = {
  readonly id: string;
  readonly onUseAgain: (video: VideoObject) => void;
  readonly onContinue: (video: VideoObject) => void;
};

export const VideoResult = ({ id, onUseAgain, onContinue }: ResultProps) => {
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
