import { CircleAlert, Film } from 'lucide-preact';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { truncate } from '../../functions/platform/domain/text.ts';
import { previewUrl } from '../api/images.ts';
import { contentUrl, isUnfinished } from '../api/videos.ts';
import { Clock, ImageOff } from '../page-icons.mjs';
import { isExpired, shownPrompt } from '../parts/video-stage.tsx';
import { texts } from '../texts/texts.ts';
import { useFirstFrame } from './first-frame.ts';
import type { LibraryItem } from './items.ts';
import { waitForTurn } from './poster-turns.ts';

type Watcher = (isNear: boolean) => void;

const watchers = new Map<Element, Set<Watcher>>();
let observer: IntersectionObserver | undefined;

/** One observer for all posters. The margin is about one row, so that a page does not load what is never seen. */
const observe = (element: Element, onChange: Watcher): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        for (const watcher of watchers.get(target) ?? []) watcher(isIntersecting);
    },
    { rootMargin: '200px 0px' },
  );
  const shared = observer;
  const own = watchers.get(element) ?? new Set();
  watchers.set(element, own.add(onChange));
  // The observer reports an element that it has already only if it is observed anew.
  shared.unobserve(element);
  shared.observe(element);
  return () => {
    own.delete(onChange);
    if (own.size > 0) return;
    watchers.delete(element);
    shared.unobserve(element);
  };
};

/** Whether the element is in view or close to it. A page may have only some dozens of players at a time. */
export const useIsNear = (element: { readonly current: Element | null }): boolean => {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => (element.current === null ? undefined : observe(element.current, setIsNear)), [element]);
  return isNear;
};

type MediaProps = {
  readonly id: string;
  readonly isNear: boolean;
  readonly isPlaying: boolean;
};

/** True from its turn to load until it is no longer near. */
const useTurn = (isNear: boolean): readonly [boolean, () => void] => {
  const [isTurn, setIsTurn] = useState(false);
  const done = useRef(() => {});
  useEffect(() => {
    if (!isNear) return;
    done.current = waitForTurn(() => setIsTurn(true));
    return () => {
      done.current();
      setIsTurn(false);
    };
  }, [isNear]);
  return [isTurn, () => done.current()];
};

const VideoPoster = ({ id, isNear, isPlaying }: MediaProps) => {
  const [isTurn, finish] = useTurn(isNear);
  const { url, isBroken, tryMore } = useFirstFrame(id, isTurn, finish);
  if (isBroken) return <Placeholder icon={Film} label={texts.library.noPreview} />;
  if (url === undefined) return null;
  return (
    <>
      <video
        key={url}
        src={url}
        preload="metadata"
        muted
        playsInline
        disablePictureInPicture
        tabIndex={-1}
        aria-hidden="true"
        onLoadedData={finish}
        onError={tryMore}
      />
      {isPlaying && <PlayingVideo id={id} />}
    </>
  );
};

/** Covers the first frame as soon as it plays. It is gone when it stops, so that its signed URL cannot expire. */
const PlayingVideo = ({ id }: Pick<MediaProps, 'id'>) => {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const player = element.current;
    if (player === null) return;
    // The property, because the attribute does not mute a player that scripts create.
    player.muted = true;
    // A browser that refuses to play, for example to save data, leaves the first frame.
    player.play().catch(() => {});
    return () => {
      // Ends the download.
      player.removeAttribute('src');
      player.load();
    };
  }, []);
  return (
    <video
      ref={element}
      src={contentUrl(id)}
      class="poster-playing"
      muted
      loop
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      aria-hidden="true"
    />
  );
};

/** The API may refuse a preview because many are loaded at once. */
const PREVIEW_TRIES = 3;
const PREVIEW_PAUSE = 2000;

const ImagePoster = ({ id, isNear }: Omit<MediaProps, 'isPlaying'>) => {
  const [isTurn, finish] = useTurn(isNear);
  const [isLoaded, setIsLoaded] = useState(false);
  const [tries, setTries] = useState(1);
  const isBroken = tries > PREVIEW_TRIES;
  const end = (): void => {
    finish();
    setIsLoaded(true);
  };
  const tryAgain = (): void => {
    // It keeps its turn, so that others do not ask in the meantime.
    if (tries < PREVIEW_TRIES) setTimeout(() => setTries(tries + 1), PREVIEW_PAUSE);
    else {
      end();
      setTries(tries + 1);
    }
  };
  if (isBroken) return <Placeholder icon={ImageOff} label={texts.library.noPreview} />;
  if (!isTurn && !isLoaded) return null;
  return <img key={tries} src={previewUrl(id)} alt="" onLoad={end} onError={tryAgain} />;
};

type Icon = typeof Film;

export const Placeholder = ({ icon: Icon, label }: { readonly icon: Icon; readonly label: string }) => (
  <span class="poster-none">
    <Icon size={22} aria-hidden />
    <span class="small">{label}</span>
  </span>
);

const MAX_PROMPT_SHOWN = 200;

/** The name of the item, or the beginning of its prompt. */
export const itemTitle = (item: LibraryItem): string =>
  item.name ?? truncate(shownPrompt(item), MAX_PROMPT_SHOWN);

export const isPlayable = (item: LibraryItem): boolean =>
  item.kind === 'video' && item.video.status === 'completed' && !isExpired(item);

/** Whether the item has a file to show, to download and to use. */
export const hasContent = (item: LibraryItem): boolean =>
  item.kind === 'image' ? !isExpired(item) : isPlayable(item);

const Content = ({ item, isNear, isPlaying }: Omit<Props, 'card'> & { readonly isNear: boolean }) => {
  const { id } = item;
  if (isExpired(item)) return <Placeholder icon={Clock} label={texts.recent.expired} />;
  if (item.kind === 'image') return <ImagePoster id={id} isNear={isNear} />;
  if (item.video.status === 'failed') {
    const { cancelled, failed } = texts.states;
    const label = item.video.error?.code === 'cancelled' ? cancelled : failed;
    return <Placeholder icon={CircleAlert} label={label} />;
  }
  if (isUnfinished(item.video))
    return (
      <span class="poster-none">
        <span class="small">{texts.states[item.video.status]}</span>
        <span class="progress-bar" aria-hidden="true" />
      </span>
    );
  return <VideoPoster id={id} isNear={isNear} isPlaying={isPlaying} />;
};

type Props = {
  readonly item: LibraryItem;
  /** Decides when the poster loads; its own content may be skipped by the browser. */
  readonly card: RefObject<HTMLElement>;
  readonly isPlaying: boolean;
};

/** The first frame of a video or a small version of an image, or the reason why there is none. */
export const Poster = ({ item, card, isPlaying }: Props) => {
  const isNear = useIsNear(card);
  return (
    <span class="poster">
      <Content item={item} isNear={isNear} isPlaying={isPlaying} />
      {item.kind === 'video' && isPlayable(item) && (
        <span class="poster-length number">{texts.form.secondsValue(Number(item.video.seconds))}</span>
      )}
    </span>
  );
};
