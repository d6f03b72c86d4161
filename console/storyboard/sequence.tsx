import { useEffect, useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { contentUrl } from '../api/videos.ts';
import { type LibraryItem, toVideoItem } from '../library/items.ts';
import { ZipButton } from '../library/zip-download.tsx';
import { SmallButton } from '../parts/buttons.tsx';
import { isPortrait } from '../parts/video-stage.tsx';
import { texts } from '../texts/texts.ts';

/** One line in the list. */
const describe = ({ prompt }: LibraryItem): string => prompt.replaceAll(/\s+/g, ' ');

const EXPORT = { title: 'storyboard', listName: 'shots.txt', describe };

/** Plays the shots one after the other; the next one loads while one plays. */
export const Sequence = ({ videos }: { readonly videos: readonly VideoObject[] }) => {
  const [index, setIndex] = useState(0);
  // The first shot waits for the person; the others follow.
  const [isPlaying, setIsPlaying] = useState(false);
  const player = useRef<HTMLVideoElement>(null);
  const shown = videos[Math.min(index, videos.length - 1)];
  const next = videos[index + 1];
  useEffect(() => {
    // A browser that refuses leaves it paused, which is not an error.
    if (isPlaying) player.current?.play().catch(() => {});
  }, [shown?.id, isPlaying]);
  if (shown === undefined) return <p class="hint">{texts.storyboard.empty}</p>;
  const playAll = (): void => {
    setIndex(0);
    setIsPlaying(true);
    if (player.current !== null) {
      player.current.currentTime = 0;
      player.current.play().catch(() => {});
    }
  };
  return (
    <div class="stack stack-tight">
      {/* biome-ignore lint/a11y/useMediaCaption: generated videos have no captions */}
      <video
        ref={player}
        class={`player ${isPortrait(shown) ? 'player-portrait' : ''}`}
        src={contentUrl(shown.id)}
        controls
        playsInline
        preload="metadata"
        aria-label={shown.prompt}
        onPlay={() => setIsPlaying(true)}
        onEnded={() => (next === undefined ? setIsPlaying(false) : setIndex(index + 1))}
      />
      {next !== undefined && <video src={contentUrl(next.id)} preload="auto" muted class="sequence-next" />}
      <div class="row spread">
        <p class="small" role="status">
          {texts.storyboard.playing(videos.indexOf(shown) + 1, videos.length)}
        </p>
        <div class="row">
          <SmallButton onClick={playAll}>{texts.storyboard.playAll}</SmallButton>
          <ZipButton
            total={videos.length}
            load={async () => videos.map(toVideoItem)}
            sequence={EXPORT}
            isSmall
          />
        </div>
      </div>
    </div>
  );
};
