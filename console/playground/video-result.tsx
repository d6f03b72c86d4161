import { Download } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiError } from '../api/api-error.ts';
import type { Video } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { contentAddress, isUnfinished, videos } from '../api/videos.ts';
import { formatSize } from '../parts/format.ts';
import { ErrorProblem, Problem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { VideoStage } from '../parts/video-stage.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { notify } from '../shell/notices.tsx';
import { chargeText } from '../tasks/task-row.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Says once that a task has ended, wherever on the page one is. */
const useEndNotice = (video: Video | undefined): void => {
  const wasUnfinished = useRef(false);
  useEffect(() => {
    if (video === undefined) return;
    if (isUnfinished(video)) wasUnfinished.current = true;
    else if (wasUnfinished.current) {
      wasUnfinished.current = false;
      notify(
        video.status === 'failed' ? texts.video.failed : texts.video.finished,
        video.status === 'failed' ? 'bad' : 'good',
      );
    }
  }, [video]);
};

type Props = { readonly id: string; readonly onUseAgain: (video: Video) => void };

export const VideoResult = ({ id, onUseAgain }: Props) => {
  const { data: video, error, refetch } = useQuery(videos, id);
  useEndNotice(video);
  if (error instanceof ApiError && error.status === 404) return <Problem message={texts.task.notFoundText} />;
  if (video === undefined)
    return error === null ? <Waiting /> : <ErrorProblem error={error} retry={refetch} />;
  return (
    <div class="stage">
      <VideoStage video={video} />
      {error !== null && <ErrorProblem error={error} />}
      <p class="prompt-text" dir="auto">
        {video.prompt}
      </p>
      <div class="row spread">
        <div class="row number">
          <StatusBadge status={video.status} />
          <span class="quiet small">{texts.video.lengthAndSize(video.seconds, formatSize(video.size))}</span>
          {video.status === 'completed' && <span class="small">{chargeText(video)}</span>}
        </div>
        <div class="row">
          {video.status === 'completed' && (
            <a class="button button-small" href={contentAddress(id)} download>
              <Download size={15} aria-hidden />
              {texts.actions.download}
            </a>
          )}
          <button type="button" class="button button-small" onClick={() => onUseAgain(video)}>
            {texts.actions.useAgain}
          </button>
          <Link class="button button-small" href={`/tasks/${id}`}>
            {texts.video.openTask}
          </Link>
        </div>
      </div>
    </div>
  );
};
