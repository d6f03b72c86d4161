import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow } from '../api/clock.ts';
import { isUnfinished } from '../api/videos.ts';
import { formatAge, formatElapsed, formatSize, formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { formatCharge, shownPrompt, VideoStage } from '../parts/video-stage.tsx';
import { VideoCodePanel } from '../playground/code-panel.tsx';
import { NO_FILES, toVideoForm } from '../playground/video-form.ts';
import { texts } from '../texts/texts.ts';
import { ItemActions } from './item-actions.tsx';
import { ItemDeliveries } from './item-deliveries.tsx';
import { toVideoItem } from './items.ts';
import { useMaker } from './use-maker.ts';

type Props = { readonly video: VideoObject };

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

const Facts = ({ video }: Props) => {
  const maker = useMaker(video.request?.api_key_id, video.request?.user_id);
  return (
    <section class="card stack">
      <h2>{texts.task.parameters}</h2>
      <Pairs pairs={[...parameters(video), ...maker, ...billing(video)]} />
    </section>
  );
};

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

export const VideoContent = ({ video }: Props) => (
  <div class="detail">
    <div class="card stack">
      <VideoStage video={video} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section class="prompt-text" dir="auto" tabIndex={0} aria-label={texts.form.prompt}>
        {shownPrompt(video)}
      </section>
      <ItemActions item={toVideoItem(video)} />
      <details class="more">
        <summary>{texts.video.code}</summary>
        <VideoCodePanel form={toVideoForm(video)} files={NO_FILES} />
      </details>
    </div>
    <div class="stack">
      <Facts video={video} />
      <Timeline video={video} />
      {!isUnfinished(video) && <ItemDeliveries video={video} />}
    </div>
  </div>
);
