import type { Video } from '../api/shapes.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { formatElapsed } from './format.ts';
import { useNow } from './use-now.ts';

/** In place of the player, and of its shape, so that nothing moves when the video comes. */
export const WorkingStage = ({ video }: { readonly video: Video }) => {
  const now = useNow(1000);
  const { sample_generator } = useCurrentSession();
  const [width = 16, height = 9] = video.size.split('x').map(Number);
  return (
    <div class={`screen working ${height > width ? 'screen-portrait' : ''}`}>
      <p role="status">{texts.states[video.status]}</p>
      <div class="progress-bar" aria-hidden="true" />
      <p class="quiet small number">{texts.video.elapsed(formatElapsed(now - video.created_at * 1000))}</p>
      <p class="quiet small">{texts.video.emptyText(sample_generator)}</p>
    </div>
  );
};
