import { useRef, useState } from 'preact/hooks';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { isSameBatch } from '../api/batches.ts';
import { serverNow } from '../api/clock.ts';
import { Button } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { formatAge, formatSize } from '../parts/format.ts';
import { VideoFailure } from '../parts/video-failure.tsx';
import { formatCharge, shownPrompt, VideoStage } from '../parts/video-stage.tsx';
import { texts } from '../texts/texts.ts';

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
    <VideoStage key={shown.id} video={shown} Failure={VideoFailure} />
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

/** The shown video, or the newest one, and beside it a variation of it, if there is one. */
const choosePair = (
  playable: readonly VideoObject[],
  shownId: string | undefined,
): readonly [VideoObject, VideoObject] | undefined => {
  const left = playable.find(({ id }) => id === shownId) ?? playable[0];
  const others = playable.filter(({ id }) => id !== left?.id);
  const right = others.find((other) => left !== undefined && isSameBatch(left, other)) ?? others[0];
  return left === undefined || right === undefined ? undefined : [left, right];
};

type PairProps = {
  /** All of them can be played. */
  readonly videos: readonly VideoObject[];
  readonly shownId: string | undefined;
};

const Pair = ({ videos, shownId }: PairProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [ids, setIds] = useState(() => choosePair(videos, shownId)?.map(({ id }) => id));
  const [left, right] =
    choosePair(videos, shownId)?.map(
      (fallback, side) => videos.find(({ id }) => id === ids?.[side]) ?? fallback,
    ) ?? [];
  if (left === undefined || right === undefined) return null;
  return (
    <div class="stack">
      <div ref={box} class="compare">
        <Side
          label={texts.compare.left}
          videos={videos}
          shown={left}
          onChoose={(id) => setIds([id, right.id])}
        />
        <Side
          label={texts.compare.right}
          videos={videos}
          shown={right}
          onChoose={(id) => setIds([left.id, id])}
        />
      </div>
      <div class="row">
        <Button kind="button-primary" onClick={() => playTogether(box.current)}>
          {texts.compare.playBoth}
        </Button>
        <span class="quiet small">{texts.compare.playBothHint}</span>
      </div>
    </div>
  );
};

type Props = PairProps & { readonly open: boolean; readonly onClose: () => void };

export const CompareDialog = ({ videos, shownId, ...dialog }: Props) => (
  <Dialog title={texts.compare.title} {...dialog} wide>
    <Pair videos={videos} shownId={shownId} />
  </Dialog>
);
