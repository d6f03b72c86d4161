import { useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow, useNow } from '../api/clock.ts';
import { contentUrl, isUnfinished } from '../api/videos.ts';
import { useCurrentSession } from '../shell/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Problem } from './feedback.tsx';
import { formatElapsed, formatMoney } from './format.ts';

type Props = { readonly video: VideoObject };

/** The video of a task, or its progress, or the reason why there is no video. */
export const VideoStage = ({ video }: Props) => {
  if (isUnfinished(video)) return <Progress video={video} />;
  if (video.status === 'failed') return <Failure video={video} />;
  if (video.expires_at !== null && video.expires_at * 1000 < serverNow())
    return <Problem message={texts.video.expired} />;
  return <Player video={video} />;
};

const isPortrait = ({ size }: VideoObject): boolean => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return height > width;
};

/** Has the shape of the player, so that nothing moves when the video appears. */
const Progress = ({ video }: Props) => {
  const now = useNow(1000);
  const { sample_generator } = useCurrentSession();
  return (
    <div class={`screen working ${isPortrait(video) ? 'screen-portrait' : ''}`}>
      <p role="status">{texts.states[video.status]}</p>
      <div class="progress-bar" aria-hidden="true" />
      <p class="quiet small number">{texts.video.elapsed(formatElapsed(now - video.created_at * 1000))}</p>
      <p class="quiet small">{texts.video.emptyText(sample_generator)}</p>
    </div>
  );
};

const Failure = ({ video: { error } }: Props) => (
  <div class="stack stack-tight">
    <Problem
      message={error?.message ?? texts.video.failed}
      details={error === null ? [] : [[texts.errors.code, error.code]]}
    />
    <section class="card advice">
      <h2>{texts.task.whatToDo}</h2>
      <p>{texts.task.advice[error?.code ?? 'internal']}</p>
      <p class="quiet small">{texts.task.notCharged}</p>
    </section>
  </div>
);

const RENEWAL_PAUSE_MS = 60_000;

/** The signed URL behind the redirect expires after minutes: on an error, the player gets a new one and continues. */
const Player = ({ video }: Props) => {
  const element = useRef<HTMLVideoElement>(null);
  const renewedAt = useRef(0);
  const [isBroken, setIsBroken] = useState(false);
  const renew = (): void => {
    const player = element.current;
    if (player === null) return;
    if (Date.now() - renewedAt.current < RENEWAL_PAUSE_MS) {
      setIsBroken(true);
      return;
    }
    renewedAt.current = Date.now();
    const { currentTime, paused } = player;
    player.src = contentUrl(video.id);
    player.currentTime = currentTime;
    // A browser that requires a user gesture leaves it paused, which is not an error.
    if (!paused) player.play().catch(() => {});
  };
  return (
    <div class="stack stack-tight">
      {/* biome-ignore lint/a11y/useMediaCaption: generated videos have no captions */}
      <video
        ref={element}
        class={`player ${isPortrait(video) ? 'player-portrait' : ''}`}
        src={contentUrl(video.id)}
        controls
        playsInline
        preload="metadata"
        aria-label={shownPrompt(video)}
        onError={renew}
      />
      {isBroken && <Problem message={texts.video.playerBroken} />}
    </div>
  );
};

/** Videos from an image may have no prompt. */
export const shownPrompt = ({ prompt }: Pick<VideoObject, 'prompt'>): string =>
  prompt === '' ? texts.video.noPrompt : prompt;

type StatusProps = Pick<VideoObject, 'status'> & { readonly error?: VideoObject['error'] };

export const StatusBadge = ({ status, error }: StatusProps) => (
  <span class={`badge badge-${status}`}>
    {error?.code === 'cancelled' ? texts.states.cancelled : texts.states[status]}
  </span>
);

/** Undefined if nothing was charged or no price was set. */
export const formatCharge = ({ charge }: VideoObject): string | undefined => {
  if (charge === undefined || charge === null || charge.amount === null || charge.currency === null)
    return undefined;
  return formatMoney(charge.amount, charge.currency);
};
