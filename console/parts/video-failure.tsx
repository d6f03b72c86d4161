import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { texts } from '../texts/texts.ts';
import { Problem } from './feedback.tsx';
import { isCancelled, isPortrait } from './video-stage.tsx';

type Props = { readonly video: VideoObject };

export const VideoFailure = ({ video }: Props) =>
  isCancelled(video) ? <Cancelled video={video} /> : <Failure video={video} />;

/** Not an error: someone wanted it. */
const Cancelled = ({ video }: Props) => (
  <div class={`screen screen-empty quiet ${isPortrait(video) ? 'screen-portrait' : ''}`}>
    <h2>{texts.states.cancelled}</h2>
    <p>{texts.task.advice.cancelled}</p>
    <p>{texts.task.notCharged}</p>
  </div>
);

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
