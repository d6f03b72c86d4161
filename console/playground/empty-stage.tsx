import { pixelSize } from '../../functions/catalogue/domain/models.ts';
import { formatSize } from '../parts/format.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { actualSeconds, type VideoForm } from './video-form.ts';

type EmptyProps = { readonly form: VideoForm; readonly onExample: (prompt: string) => void };

/** Shown before the first video: a screen of the chosen shape, and example prompts. */
export const EmptyStage = ({ form, onExample }: EmptyProps) => {
  return (
    <div class="stack">
      <section class={`screen screen-empty ${form.aspectRatio === '9:16' ? 'screen-portrait' : ''}`}>
        <svg viewBox="0 0 24 24" class="screen-mark" aria-hidden="true">
          <path d="M8 5.5v13l11-6.5z" />
        </svg>
        <h2>{texts.video.emptyTitle}</h2>
        <p class="number">
          {texts.video.lengthAndSize(
            String(actualSeconds(form)),
            formatSize(pixelSize(form.resolution, form.aspectRatio)),
          )}
        </p>
        <p class="small">{texts.video.emptyText}</p>
      </section>
      <section class="stack stack-tight" aria-labelledby="examples">
        <h3 id="examples" class="label">
          {texts.video.example}
        </h3>
        <ul class="examples">
          {texts.video.examples.map((example) => (
            <li key={example}>
              <button
                type="button"
                class="example"
                aria-pressed={example === form.prompt}
                onClick={() => onExample(example)}
              >
                {example}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
};
