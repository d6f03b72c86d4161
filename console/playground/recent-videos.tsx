import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { contentUrl, isUnfinished, recentVideos } from '../api/videos.ts';
import { formatElapsed } from '../parts/format.ts';
import { isExpired, shownPrompt, statusText } from '../parts/video-stage.tsx';
import { lazyPage, lazyPages } from '../shell/lazy-page.tsx';
import { notify } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type ItemProps = { readonly video: VideoObject };

const Running = ({ video }: ItemProps) => {
  const now = useNow(1000);
  return (
    <span class="strip-state">
      <span>{statusText(video)}</span>
      <span class="progress-bar" aria-hidden="true" />
      <span class="number">{formatElapsed(now - video.created_at * 1000)}</span>
    </span>
  );
};

const Thumbnail = ({ video }: ItemProps) => {
  const [isBroken, setIsBroken] = useState(false);
  if (isUnfinished(video)) return <Running video={video} />;
  if (video.status === 'failed' || isExpired(video) || isBroken)
    return <span class="strip-state">{isExpired(video) ? texts.recent.expired : statusText(video)}</span>;
  return (
    // The fragment shows a frame of the video instead of a black box.
    <video
      src={`${contentUrl(video.id)}#t=0.1`}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      aria-hidden="true"
      onError={() => setIsBroken(true)}
    />
  );
};

/** Announces the end of tasks that are not shown; the result announces its own. */
const useNoticesOnEnd = (recent: readonly VideoObject[], shownId: string | undefined): void => {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, status, error } of recent)
      if (status === 'queued' || status === 'in_progress') running.current.add(id);
      else if (running.current.delete(id) && id !== shownId && error?.code !== 'cancelled')
        notify(
          status === 'failed' ? texts.recent.otherFailed : texts.recent.otherFinished,
          status === 'failed' ? 'bad' : 'good',
        );
  }, [recent, shownId]);
};

const CompareDialog = lazyPage(async () => (await lazyPages()).CompareDialog);

type CompareProps = { readonly recent: readonly VideoObject[]; readonly shownId: string | undefined };

const CompareVideos = ({ recent, shownId }: CompareProps) => {
  // Undefined until it was opened once, because it loads later.
  const [isOpen, setIsOpen] = useState<boolean>();
  const playable = recent.filter((video) => video.status === 'completed' && !isExpired(video));
  if (playable.length < 2) return null;
  return (
    <>
      <button type="button" class="button button-small" onClick={() => setIsOpen(true)}>
        {texts.recent.compare}
      </button>
      {isOpen !== undefined && (
        <CompareDialog videos={playable} shownId={shownId} open={isOpen} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
};

const NONE: readonly VideoObject[] = [];

export type RecentVideosProps = {
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
};

/** The newest tasks of the account, running ones included, so that a new one does not hide the others. */
export const RecentVideos = ({ shownId, onShow }: RecentVideosProps) => {
  const { data: recent = NONE } = useQuery(recentVideos);
  useNoticesOnEnd(recent, shownId);
  if (recent.length === 0) return null;
  return (
    <section class="stack stack-tight" aria-labelledby="recent">
      <div class="row spread">
        <h2 id="recent" class="label">
          {texts.recent.title}
        </h2>
        <CompareVideos recent={recent} shownId={shownId} />
      </div>
      <ul class="strip">
        {recent.map((video) => (
          <li key={video.id}>
            <button
              type="button"
              class="strip-item"
              aria-pressed={video.id === shownId}
              title={shownPrompt(video)}
              onClick={() => onShow(video.id)}
            >
              <span class="visually-hidden">{texts.recent.item(statusText(video), shownPrompt(video))}</span>
              <Thumbnail video={video} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
