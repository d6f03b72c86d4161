import { X } from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow, useNow } from '../api/clock.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import {
  cancelVideo,
  contentUrl,
  finishedVideos,
  isUnfinished,
  recentVideos,
  videoPages,
  videos,
} from '../api/videos.ts';
import { notify, orNotify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { SmallButton } from './buttons.tsx';
import { describeLeft, findDurations } from './durations.ts';
import { Problem } from './feedback.tsx';
import { formatElapsed, formatMoney, formatNumber, formatTime } from './format.ts';

type Props = { readonly video: VideoObject };
type StageProps = Props & {
  /** Whether the video starts as soon as it is there. */
  readonly playsAtOnce?: boolean;
};
/** `VideoFailure`, which the first page loads later. */
type FailureProps = { readonly Failure: ComponentType<Props> };

export const isExpired = ({ expires_at }: Pick<VideoObject, 'expires_at'>): boolean =>
  expires_at !== null && expires_at * 1000 < serverNow();

export const VideoStage = ({ video, playsAtOnce = false, Failure }: StageProps & FailureProps) => {
  if (isUnfinished(video)) return <Progress video={video} />;
  if (video.status === 'failed') return <Failure video={video} />;
  if (isExpired(video)) return <Problem message={texts.video.expired} />;
  return <Player video={video} playsAtOnce={playsAtOnce} />;
};

export const isPortrait = ({ size }: VideoObject): boolean => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return height > width;
};

/** Cancels a queued task; shows nothing for others. */
const CancelButton = ({ video: { id, status } }: Props) => {
  const isAllowed = useIsAllowed('create');
  const { mutate, isPending } = useMutation(async () => {
    // The button is gone by the time an error could be shown beside it: the task was submitted meanwhile.
    await orNotify(async () => {
      await cancelVideo(id);
      notify(texts.video.cancelled);
    });
    await Promise.all([videos.entry(id), recentVideos, videoPages].map((shown) => shown.invalidate()));
  });
  if (status !== 'queued' || !isAllowed) return null;
  return (
    <SmallButton icon={X} disabled={isPending} onClick={() => void mutate()}>
      {texts.actions.cancel}
    </SmallButton>
  );
};

/** Asks once; a browser that has decided shows nothing. */
export const NotifyButton = () => {
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
  const ask = async (): Promise<void> => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === 'denied') notify(texts.notifications.denied);
  };
  if (permission !== 'default') return null;
  return <SmallButton onClick={ask}>{texts.notifications.allow}</SmallButton>;
};

/** Why the task waits, as far as the service knows. */
const queueText = ({ reason, position, retry_at }: NonNullable<VideoObject['queue']>): string =>
  [
    texts.queue[reason],
    ...(position === null ? [] : [texts.queue.position(formatNumber(position))]),
    ...(retry_at === null ? [] : [texts.queue.nextAttempt(formatTime(retry_at))]),
  ].join(' ');

/** How long it still takes, judging by the last videos with this model and resolution. */
const useTimeLeft = (video: VideoObject, now: number): string | undefined => {
  const { data } = useQuery(finishedVideos);
  const submittedAt = video.timeline?.submitted_at ?? null;
  if (data === undefined || submittedAt === null) return undefined;
  return describeLeft(findDurations(data, video), now - submittedAt * 1000);
};

/** Has the shape of the player, so that nothing moves when the video appears. */
const Progress = ({ video }: Props) => {
  const now = useNow(1000);
  const elapsed = now - video.created_at * 1000;
  const timeLeft = useTimeLeft(video, now);
  return (
    <div class={`screen working ${isPortrait(video) ? 'screen-portrait' : ''}`}>
      <p role="status">{texts.states[video.status]}</p>
      <div class="progress-bar" aria-hidden="true" />
      <p class="quiet small number">{texts.video.elapsed(formatElapsed(elapsed))}</p>
      <CancelButton video={video} />
      <p class="small">
        {video.queue === undefined || video.queue === null ? timeLeft : queueText(video.queue)}
      </p>
      <NotifyButton />
      <p class="quiet small">{texts.video.comeBack}</p>
    </div>
  );
};

/** Without sound if the browser requires a gesture for it, and not at all for people who want less motion. */
const startPlaying = async (player: HTMLVideoElement): Promise<void> => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  try {
    await player.play();
  } catch {
    player.muted = true;
    // A browser that refuses even this leaves it paused, which is not an error.
    await player.play().catch(() => {});
  }
};

const RENEWAL_PAUSE_MS = 60_000;

/** The signed URL behind the redirect expires after minutes: on an error, the player gets a new one and continues. */
const Player = ({ video, playsAtOnce = false }: StageProps) => {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (playsAtOnce && element.current !== null) void startPlaying(element.current);
  }, [playsAtOnce]);
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

export const isCancelled = ({ error }: Pick<StatusProps, 'error'>): boolean => error?.code === 'cancelled';

export const statusText = (props: StatusProps): string =>
  isCancelled(props) ? texts.states.cancelled : texts.states[props.status];

export const StatusBadge = (props: StatusProps) => (
  <span class={`badge badge-${isCancelled(props) ? 'cancelled' : props.status}`}>{statusText(props)}</span>
);

type Charge = { readonly amount: string | null; readonly currency: string | null };
type Charged = { readonly charge?: Charge | null | undefined };

/** Undefined if nothing was charged or no price was set. */
export const formatCharge = ({ charge }: Charged): string | undefined => {
  const { amount = null, currency = null } = charge ?? {};
  return amount === null || currency === null ? undefined : formatMoney(amount, currency);
};
