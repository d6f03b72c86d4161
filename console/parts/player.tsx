import { useRef, useState } from 'preact/hooks';
import { contentAddress } from '../api/videos.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Problem } from './problem.tsx';

const RENEWAL_PAUSE_MS = 60_000;

const isPortrait = (size: string): boolean => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return height > width;
};

type Props = { readonly id: string; readonly size: string; readonly prompt: string };

/** The address that the video was redirected to dies after minutes: an error fetches a new one and goes on. */
export const Player = ({ id, size, prompt }: Props) => {
  const video = useRef<HTMLVideoElement>(null);
  const renewedAt = useRef(0);
  const [broken, setBroken] = useState(false);
  const renew = (): void => {
    const player = video.current;
    if (player === null) return;
    if (Date.now() - renewedAt.current < RENEWAL_PAUSE_MS) {
      setBroken(true);
      return;
    }
    renewedAt.current = Date.now();
    const { currentTime, paused } = player;
    player.src = contentAddress(id);
    player.currentTime = currentTime;
    // A browser that wants a gesture first leaves it paused, which is no error.
    if (!paused) player.play().catch(() => {});
  };
  return (
    <div class="stack stack-tight">
      {/* biome-ignore lint/a11y/useMediaCaption: generated videos have no captions */}
      <video
        ref={video}
        class={`player ${isPortrait(size) ? 'player-portrait' : ''}`}
        src={contentAddress(id)}
        controls
        playsInline
        preload="metadata"
        aria-label={prompt}
        onError={renew}
      />
      {broken && <Problem message={texts.video.playerBroken} />}
    </div>
  );
};
