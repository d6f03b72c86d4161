import { useEffect, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useNow } from '../api/clock.ts';
import { contentUrl, isUnfinished } from '../api/videos.ts';
import { lazyPage, lazyPages } from '../lazy-page.tsx';
import { SmallButton } from '../parts/buttons.tsx';
import { dragSource } from '../parts/dragged-item.ts';
import { formatElapsed } from '../parts/format.ts';
import { ScopeSwitch } from '../parts/scope.tsx';
import { isExpired, shownPrompt, statusText } from '../parts/video-stage.tsx';
import { resultTexts as texts } from '../texts/result-texts.ts';
import { follow, followOnPage } from './own-batches.ts';

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

const CompareDialog = lazyPage(async () => (await lazyPages()).CompareDialog);

type CompareProps = { readonly recent: readonly VideoObject[]; readonly shownId: string | undefined };

const CompareVideos = ({ recent, shownId }: CompareProps) => {
  // Undefined until it was opened once, because it loads later.
  const [isOpen, setIsOpen] = useState<boolean>();
  const playable = recent.filter((video) => video.status === 'completed' && !isExpired(video));
  if (playable.length < 2) return null;
  return (
    <>
      <SmallButton onClick={() => setIsOpen(true)}>{texts.recent.compare}</SmallButton>
      {isOpen !== undefined && (
        <CompareDialog videos={playable} shownId={shownId} open={isOpen} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
};

/** Variations have the same prompt, so their seeds tell them apart. */
const itemName = (video: VideoObject): string => {
  const { seed } = video.request ?? {};
  const name = texts.recent.item(statusText(video), shownPrompt(video));
  return seed === undefined || seed === null ? name : `${name}, ${texts.video.seed(seed)}`;
};

type Props = {
  /** Own ones first. */
  readonly own: readonly VideoObject[];
  readonly others: readonly VideoObject[];
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
};

/** The newest tasks, running ones included, so that a new one does not hide the others. */
export const RecentVideos = ({ own, others, shownId, onShow }: Props) => {
  useEffect(() => follow(own), [own]);
  useEffect(() => followOnPage(shownId), [shownId]);
  const recent = [...own, ...others];
  return (
    <section class="stack stack-tight" aria-labelledby="recent">
      <div class="row spread">
        <h2 id="recent" class="label">
          {texts.recent.title}
        </h2>
        <div class="row">
          <CompareVideos recent={recent} shownId={shownId} />
          <ScopeSwitch />
        </div>
      </div>
      {recent.length === 0 && <p class="hint">{texts.recent.noneOfYours}</p>}
      <ul class="strip">
        {recent.map((video) => (
          <li
            key={video.id}
            {...(video.status === 'completed' && !isExpired(video)
              ? dragSource({ kind: 'video', id: video.id })
              : {})}
          >
            <button
              type="button"
              class="strip-item box"
              aria-pressed={video.id === shownId}
              title={shownPrompt(video)}
              onClick={() => onShow(video.id)}
            >
              <span class="visually-hidden">{itemName(video)}</span>
              <Thumbnail video={video} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
