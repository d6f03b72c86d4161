import { useState } from 'preact/hooks';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import { formatMegabytes } from '../../functions/platform/domain/models.ts';
import { serverNow } from '../api/clock.ts';
import { fileContentUrl } from '../api/images.ts';
import { imageProgram } from '../images/image-form.ts';
import { Problem } from '../parts/feedback.tsx';
import { formatAge, formatMoney, formatNumber, formatSize, formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { shownPrompt } from '../parts/video-stage.tsx';
import { CodePanel } from '../playground/code-panel.tsx';
import { texts } from '../texts/texts.ts';
import { toImageForm } from './image-options.ts';
import { ItemActions } from './item-actions.tsx';
import { toImageItem } from './items.ts';
import { isExpired } from './poster.tsx';
import { useMaker } from './use-maker.ts';

type Props = { readonly image: FileObject };

const charge = ({ charge: paid }: FileObject): string =>
  paid?.amount == null || paid.currency === null
    ? texts.task.noAmount
    : formatMoney(paid.amount, paid.currency);

const fileSize = ({ bytes }: FileObject): string =>
  bytes < 1_000_000 ? texts.library.kilobytes(formatNumber(Math.ceil(bytes / 1000))) : formatMegabytes(bytes);

const Facts = ({ image }: Props) => {
  const maker = useMaker(image.api_key_id, image.user_id);
  const pairs: readonly Pair[] = [
    [texts.form.model, image.model],
    [texts.task.size, formatSize(image.size ?? '')],
    [texts.library.bytes, fileSize(image)],
    ...maker,
    [texts.task.charge, charge(image)],
    [texts.task.steps.created, formatTime(image.created_at)],
    [
      texts.task.expires,
      texts.task.expiresIn(formatTime(image.expires_at), formatAge(image.expires_at, serverNow())),
    ],
  ];
  return (
    <section class="card stack">
      <h2>{texts.task.parameters}</h2>
      <Pairs pairs={pairs} />
    </section>
  );
};

/** The whole image. Its box has the final size before the image arrives. */
const LargeImage = ({ image }: Props) => {
  const [isBroken, setIsBroken] = useState(false);
  const [width = 1, height = 1] = (image.size ?? '').split('x').map(Number);
  if (isBroken) return <Problem message={texts.library.imageBroken} />;
  return (
    <img
      class="large-image"
      src={fileContentUrl(image.id)}
      width={width}
      height={height}
      alt={shownPrompt({ prompt: image.prompt ?? '' })}
      onError={() => setIsBroken(true)}
    />
  );
};

export const ImageContent = ({ image }: Props) => {
  const item = toImageItem(image);
  return (
    <div class="detail">
      <div class="card stack">
        {isExpired(item) ? <Problem message={texts.video.expired} /> : <LargeImage image={image} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section class="prompt-text" dir="auto" tabIndex={0} aria-label={texts.form.prompt}>
          {shownPrompt({ prompt: image.prompt ?? '' })}
        </section>
        <ItemActions item={item} />
        <details class="more">
          <summary>{texts.video.code}</summary>
          <CodePanel program={imageProgram(toImageForm(image), [])} />
        </details>
      </div>
      <div class="stack">
        <Facts image={image} />
      </div>
    </div>
  );
};
