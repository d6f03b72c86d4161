import { ArrowLeft, Download, RotateCcw, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/api-error.ts';
import { serverNow } from '../api/clock.ts';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { contentUrl, deleteVideo, isUnfinished, videoPages, videos } from '../api/videos.ts';
import { ShareButton } from '../library/share-dialog.tsx';
import { CopyButton } from '../parts/code-block.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatAge, formatElapsed, formatSize, formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/table.tsx';
import { formatCharge, StatusBadge, shownPrompt, VideoStage } from '../parts/video-stage.tsx';
import { saveDraft } from '../playground/drafts.ts';
import { VideoCodePanel } from '../playground/video-code-panel.tsx';
import { NO_FILES, toVideoForm, VIDEO_DRAFT } from '../playground/video-form.ts';
import { notify } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';

type Props = { readonly video: VideoObject };

const Actions = ({ video }: Props) => {
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error } = useMutation(
    () => deleteVideo(video.id),
    () => {
      // Cached lists must not show the task again.
      videoPages.clear();
      notify(texts.task.deleted);
      navigate('/tasks');
    },
  );
  return (
    <div class="row">
      {video.status === 'completed' && (
        <a class="button" href={contentUrl(video.id)} download>
          <Download size={16} aria-hidden />
          {texts.actions.download}
        </a>
      )}
      {video.status === 'completed' && <ShareButton item={{ video_id: video.id }} />}
      <button
        type="button"
        class="button"
        onClick={() => {
          saveDraft(VIDEO_DRAFT, toVideoForm(video));
          navigate('/playground/video');
        }}
      >
        <RotateCcw size={16} aria-hidden />
        {texts.task.reopen}
      </button>
      {!isUnfinished(video) && (
        <button type="button" class="button button-danger" onClick={() => setOpen(true)}>
          <Trash2 size={16} aria-hidden />
          {texts.actions.delete}
        </button>
      )}
      <Confirm
        open={open}
        title={texts.task.deleteTitle}
        text={texts.task.deleteText}
        action={texts.actions.delete}
        onConfirm={() => mutate()}
        onClose={() => setOpen(false)}
        isPending={isPending}
        error={error}
      />
    </div>
  );
};

const parameters = ({ model, seconds, size, request }: VideoObject): readonly Pair[] => [
  [texts.form.model, model],
  [texts.task.length, texts.form.secondsValue(Number(seconds))],
  [texts.task.size, formatSize(size)],
  ...(request === undefined ? [] : [[texts.form.mode, texts.modes[request.mode]] as const]),
  ...(request?.negative_prompt === undefined || request.negative_prompt === null
    ? []
    : [[texts.form.negativePrompt, request.negative_prompt] as const]),
  ...(request?.seed === undefined || request.seed === null ? [] : [[texts.form.seed, request.seed] as const]),
];

const chargeText = (video: VideoObject): string => {
  if (video.status === 'failed') return texts.task.notCharged;
  if (video.status !== 'completed') return texts.task.chargePending;
  return formatCharge(video) ?? texts.task.noAmount;
};

const expiryText = (expiresAt: number): string =>
  texts.task.expiresIn(formatTime(expiresAt), formatAge(expiresAt, serverNow()));

const billing = (video: VideoObject): readonly Pair[] => [
  ...(video.charge === undefined ? [] : [[texts.task.charge, chargeText(video)] as const]),
  ...(video.expires_at === null ? [] : [[texts.task.expires, expiryText(video.expires_at)] as const]),
];

const Facts = ({ video }: Props) => (
  <section class="card stack">
    <h2>{texts.task.parameters}</h2>
    <Pairs pairs={[...parameters(video), ...billing(video)]} />
  </section>
);

type Step = { readonly label: string; readonly at: number };

const toSteps = (video: VideoObject): readonly Step[] => {
  const { created_at, submitted_at, generated_at, completed_at, failed_at } = video.timeline ?? {
    created_at: video.created_at,
    submitted_at: null,
    generated_at: null,
    completed_at: video.completed_at ?? null,
    failed_at: null,
  };
  return [
    [texts.task.steps.created, created_at] as const,
    [texts.task.steps.submitted, submitted_at] as const,
    [texts.task.steps.generated, generated_at] as const,
    [texts.task.steps.completed, completed_at] as const,
    [texts.task.steps.failed, failed_at] as const,
  ].flatMap(([label, at]) => (at === null ? [] : [{ label, at }]));
};

/** Shows how long queue, generation and storing took. */
const Timeline = ({ video }: Props) => {
  const steps = toSteps(video);
  return (
    <section class="card stack">
      <h2>{texts.task.timeline}</h2>
      <ol class="timeline">
        {steps.map(({ label, at }, index) => {
          const before = steps[index - 1];
          return (
            <li key={label}>
              <span>{label}</span>
              <time class="quiet small" dateTime={new Date(at * 1000).toISOString()}>
                {formatTime(at)}
              </time>
              <span class="quiet small number">
                {before !== undefined && `+${formatElapsed((at - before.at) * 1000)}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
};

const Detail = ({ video }: Props) => (
  <div class="detail">
    <div class="card stack">
      <VideoStage video={video} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section class="prompt-text" dir="auto" tabIndex={0} aria-label={texts.form.prompt}>
        {shownPrompt(video)}
      </section>
      <Actions video={video} />
      <details class="more">
        <summary>{texts.video.code}</summary>
        <VideoCodePanel form={toVideoForm(video)} files={NO_FILES} />
      </details>
    </div>
    <div class="stack">
      <Facts video={video} />
      <Timeline video={video} />
    </div>
  </div>
);

export const TaskDetail = () => {
  const { id = '' } = useParams<{ id: string }>();
  const { data: video, error, refetch } = useQuery(videos, id);
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    // The cached lists may still show it.
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
          {video !== undefined && <StatusBadge status={video.status} error={video.error} />}
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
