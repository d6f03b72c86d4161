import { ArrowLeft } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { ApiError } from '../api/api-error.ts';
import type { Video } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { videoPages, videos } from '../api/videos.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { VideoStage } from '../parts/video-stage.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { VideoCodePanel } from '../playground/video-code-panel.tsx';
import { NO_FILES } from '../playground/video-fields.ts';
import { formOfVideo } from '../playground/video-form.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { TaskActions } from './task-actions.tsx';
import { TaskFacts } from './task-facts.tsx';
import { TaskTimeline } from './task-timeline.tsx';

const Detail = ({ video }: { readonly video: Video }) => (
  <div class="detail">
    <div class="card stack">
      <VideoStage video={video} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="prompt-text" dir="auto" tabIndex={0} aria-label={texts.form.prompt}>
        {video.prompt}
      </section>
      <TaskActions video={video} />
      <details class="more">
        <summary>{texts.video.code}</summary>
        <VideoCodePanel form={formOfVideo(video)} files={NO_FILES} />
      </details>
    </div>
    <div class="stack">
      <TaskFacts video={video} />
      <TaskTimeline video={video} />
    </div>
  </div>
);

export const TaskDetail = () => {
  const { id = '' } = useParams<{ id: string }>();
  const { data: video, error, refetch } = useQuery(videos, id);
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    // Whoever deleted it: the list may still show it.
    if (isGone) videoPages.clear();
  }, [isGone]);
  return (
    <>
      <p>
        <Link href="/tasks" class="row back-link">
          <ArrowLeft size={16} aria-hidden />
          {texts.task.back}
        </Link>
      </p>
      <PageTitle title={texts.task.title}>
        <div class="row">
          {video !== undefined && <StatusBadge status={video.status} />}
          <code class="small task-id">{id}</code>
          <CopyButton text={id} />
        </div>
      </PageTitle>
      {isGone && <Empty title={texts.task.notFoundTitle} text={texts.task.notFoundText} />}
      {error !== null && !isGone && <ErrorProblem error={error} retry={refetch} />}
      {video === undefined && error === null && <Waiting />}
      {video !== undefined && !isGone && <Detail video={video} />}
    </>
  );
};
