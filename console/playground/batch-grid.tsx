import { Check } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useNow } from '../api/clock.ts';
import { updateItem } from '../api/library.ts';
import { contentUrl, deleteVideo, isUnfinished, recentVideos, videoPages } from '../api/videos.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { formatElapsed, formatNumber } from '../parts/format.ts';
import { isExpired, isPortrait, NotifyButton, statusText } from '../parts/video-stage.tsx';
import { notify, notifyError } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { usePreference } from '../session/storage.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { inTab } from './drafts.ts';

type CellProps = { readonly video: VideoObject; readonly name: string };

const Running = ({ video }: CellProps) => (
  <div class="screen working">
    <p>{statusText(video)}</p>
    <div class="progress-bar" aria-hidden="true" />
    <p class="quiet small number">{formatElapsed(useNow(1000) - video.created_at * 1000)}</p>
  </div>
);

const canPlay = (video: VideoObject): boolean => video.status === 'completed' && !isExpired(video);

const Media = ({ video, name }: CellProps) => {
  if (isUnfinished(video)) return <Running video={video} name={name} />;
  if (!canPlay(video))
    return (
      <div class="screen">
        <p>{isExpired(video) ? texts.recent.expired : statusText(video)}</p>
      </div>
    );
  return (
    // The fragment shows a frame of the video instead of a black box.
    <video
      class="player"
      src={`${contentUrl(video.id)}#t=0.1`}
      muted
      loop
      playsInline
      preload="metadata"
      aria-label={name}
    />
  );
};

/**
 * The variations play from their beginning, together and without sound. Those that someone waits for start at once,
 * except for people who want less motion.
 */
const usePlayTogether = (isRunning: boolean) => {
  const box = useRef<HTMLUListElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const isAwaited = useRef(false);
  const play = (): void => {
    for (const player of box.current?.querySelectorAll('video') ?? []) {
      player.currentTime = 0;
      // A browser that refuses leaves it paused, which is not an error.
      player.play().catch(() => {});
    }
    setIsPlaying(true);
  };
  const pause = (): void => {
    for (const player of box.current?.querySelectorAll('video') ?? []) player.pause();
    setIsPlaying(false);
  };
  useEffect(() => {
    if (!isRunning && isAwaited.current && !matchMedia('(prefers-reduced-motion: reduce)').matches) play();
    isAwaited.current = isRunning;
  }, [isRunning]);
  return { box, isPlaying, toggle: isPlaying ? pause : play };
};

const deleteAll = async (videos: readonly VideoObject[]): Promise<void> => {
  const results = await Promise.allSettled(videos.map(({ id }) => deleteVideo(id)));
  const deleted = results.filter(({ status }) => status === 'fulfilled').length;
  if (deleted > 0) notify(texts.batch.deleted(formatNumber(deleted)));
  if (deleted < videos.length) notify(texts.batch.notDeleted(formatNumber(videos.length - deleted)), 'bad');
};

type OthersProps = {
  readonly others: readonly VideoObject[];
  readonly onUndo: () => void;
  readonly onDeleted: () => void;
};

const Others = ({ others, onUndo, onDeleted }: OthersProps) => {
  const mayDelete = useIsAllowed('delete');
  const action = texts.batch.deleteOthers(formatNumber(others.length));
  return (
    <div class="row">
      {mayDelete && (
        <ConfirmButton
          isSmall
          title={`${action}?`}
          label={action}
          text={texts.batch.deleteText}
          action={action}
          onConfirm={() => deleteAll(others)}
          onDone={() => {
            // First, so that none of the deleted is shown.
            onDeleted();
            for (const list of [recentVideos, videoPages]) void list.invalidate();
          }}
        />
      )}
      <SmallButton onClick={onUndo}>{texts.batch.undo}</SmallButton>
    </div>
  );
};

const store = (id: string, kept: boolean): void => void updateItem(id, { kept }).catch(notifyError);

type Props = {
  /** The variations of one request. */
  readonly videos: readonly VideoObject[];
  readonly onOpen: (id: string) => void;
};

export const BatchGrid = ({ videos, onOpen }: Props) => {
  const { box, isPlaying, toggle } = usePlayTogether(videos.some(isUnfinished));
  const [keptId, setKeptId] = usePreference(inTab('chosen-variation'));
  const mayKeep = useIsAllowed('keep');
  const kept = videos.find(({ id }) => id === keptId);
  const keep = (id: string | undefined): void => {
    if (kept !== undefined) store(kept.id, false);
    if (id !== undefined) store(id, true);
    setKeptId(id);
  };
  return (
    <section class="stack" aria-labelledby="batch">
      <div class="row spread">
        <h2 id="batch" class="label">
          {texts.batch.title(formatNumber(videos.length))}
        </h2>
        {videos.some(isUnfinished) && <NotifyButton />}
        {videos.some(canPlay) && (
          <SmallButton aria-pressed={isPlaying} onClick={toggle}>
            {isPlaying ? texts.batch.pause : texts.batch.play}
          </SmallButton>
        )}
      </div>
      <ul ref={box} class={`batch ${videos.some(isPortrait) ? 'batch-portrait' : ''}`}>
        {videos.map((video, index) => {
          const seed = video.request?.seed ?? undefined;
          const name = seed === undefined ? texts.batch.variation(index + 1) : texts.video.seed(seed);
          const isKept = video === kept;
          return (
            <li
              key={video.id}
              class={`stack stack-tight ${kept === undefined ? '' : isKept ? 'batch-kept' : 'batch-other'}`}
            >
              <Media video={video} name={name} />
              <div class="row">
                {isKept ? (
                  <span class="row small">
                    <Check size={15} aria-hidden />
                    {texts.batch.kept}
                  </span>
                ) : (
                  mayKeep &&
                  canPlay(video) && (
                    <SmallButton
                      aria-label={texts.batch.actionOn(texts.batch.keep, name)}
                      onClick={() => keep(video.id)}
                    >
                      {texts.batch.keep}
                    </SmallButton>
                  )
                )}
                <SmallButton
                  aria-label={texts.batch.actionOn(texts.batch.open, name)}
                  onClick={() => onOpen(video.id)}
                >
                  {texts.batch.open}
                </SmallButton>
              </div>
            </li>
          );
        })}
      </ul>
      <p class="prompt-text" dir="auto">
        {videos[0]?.prompt}
      </p>
      {kept !== undefined && videos.length > 1 && (
        <Others
          others={videos.filter((video) => video !== kept)}
          onUndo={() => keep(undefined)}
          onDeleted={() => onOpen(kept.id)}
        />
      )}
    </section>
  );
};
