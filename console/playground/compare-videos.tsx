import { useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow } from '../api/clock.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { formatAge, formatSize } from '../parts/format.ts';
import { formatCharge, isExpired, shownPrompt, VideoStage } from '../parts/video-stage.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

const MAX_NAME = 60;

const optionName = (video: VideoObject): string =>
  [
    formatAge(video.created_at, serverNow()),
    ...(video.request?.seed === undefined || video.request.seed === null
      ? []
      : [texts.video.seed(video.request.seed)]),
    shownPrompt(video).slice(0, MAX_NAME),
  ].join(' · ');

type SideProps = {
  readonly label: string;
  readonly videos: readonly VideoObject[];
  readonly shown: VideoObject;
  readonly onChoose: (id: string) => void;
};

const Side = ({ label, videos, shown, onChoose }: SideProps) => (
  <div class="stack stack-tight">
    <SelectField
      label={label}
      value={shown.id}
      options={videos.map((video) => [video.id, optionName(video)] as const)}
      onChange={onChoose}
    />
    <VideoStage key={shown.id} video={shown} />
    <p class="quiet small number">
      {[texts.video.lengthAndSize(shown.seconds, formatSize(shown.size)), formatCharge(shown)]
        .filter((text) => text !== undefined)
        .join(' · ')}
    </p>
  </div>
);

/** Starts both players at the beginning, with the sound of the first. */
const playTogether = (box: HTMLElement | null): void => {
  for (const [index, player] of [...(box?.querySelectorAll('video') ?? [])].entries()) {
    player.muted = index > 0;
    player.currentTime = 0;
    // A browser that requires a user gesture leaves it paused, which is not an error.
    player.play().catch(() => {});
  }
};

/** The shown video, or the newest one, and beside it preferably a variation of it. */
const choosePair = (
  playable: readonly VideoObject[],
  shownId: string | undefined,
): readonly [VideoObject, VideoObject] | undefined => {
  const left = playable.find(({ id }) => id === shownId) ?? playable[0];
  const others = playable.filter(({ id }) => id !== left?.id);
  const right = others.find(({ prompt }) => prompt === left?.prompt) ?? others[0];
  return left === undefined || right === undefined ? undefined : [left, right];
};

type Props = { readonly recent: readonly VideoObject[]; readonly shownId: string | undefined };

/** Two of the recent videos side by side. */
export const CompareVideos = ({ recent, shownId }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const [ids, setIds] = useState<readonly [string, string]>();
  const playable = recent.filter((video) => video.status === 'completed' && !isExpired(video));
  const pair = choosePair(playable, shownId);
  if (pair === undefined) return null;
  const [left, right] = pair.map(
    (fallback, side) => playable.find(({ id }) => id === ids?.[side]) ?? fallback,
  );
  return (
    <>
      <button type="button" class="button button-small" onClick={() => setIds([pair[0].id, pair[1].id])}>
        {texts.recent.compare}
      </button>
      <Dialog
        title={texts.recent.compareTitle}
        open={ids !== undefined}
        onClose={() => setIds(undefined)}
        wide
      >
        {left !== undefined && right !== undefined && (
          <div class="stack">
            <div ref={box} class="compare">
              <Side
                label={texts.recent.left}
                videos={playable}
                shown={left}
                onChoose={(id) => setIds([id, right.id])}
              />
              <Side
                label={texts.recent.right}
                videos={playable}
                shown={right}
                onChoose={(id) => setIds([left.id, id])}
              />
            </div>
            <div class="row">
              <button type="button" class="button button-primary" onClick={() => playTogether(box.current)}>
                {texts.recent.playBoth}
              </button>
              <span class="quiet small">{texts.recent.playBothHint}</span>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
};
