import { X } from 'lucide-preact';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/catalogue/domain/image-sizes.ts';
import { sizeNotOffered } from '../../functions/images/domain/offered.ts';
import { ApiError } from '../api/errors.ts';
import { fileContentUrl } from '../api/images.ts';
import { IconButton } from '../parts/buttons.tsx';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { imagePrice } from '../parts/format.ts';
import { toFrame } from '../parts/input-images.ts';
import { copyImageLink } from '../playground/linked-settings.tsx';
import { Composer, type FormPanelProps, PromptField } from '../playground/playground-page.tsx';
import { PromptHistory } from '../playground/prompt-history.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { ImageEstimate } from './gallery.tsx';
import { IMAGE_COUNTS, type ImageFiles, type ImageForm, MAX_INPUTS } from './image-form.ts';

type Props = FormPanelProps<ImageForm, ImageFiles>;

const KeptInputs = ({ form: { kept }, onChange }: Pick<Props, 'form' | 'onChange'>) =>
  kept.length === 0 ? null : (
    <div class="drop-row">
      {kept.map(({ id, name }) => (
        <figure key={id} class="preview">
          <img src={fileContentUrl(id)} alt={name} />
          <IconButton
            icon={X}
            kind="preview-remove"
            aria-label={texts.actions.remove(name)}
            onClick={() => onChange({ kept: kept.filter((other) => other.id !== id) })}
          />
        </figure>
      ))}
    </div>
  );

/** By the HTTP status, because errors in the native format have no codes of the service. */
const adviceFor = (error: Error | null): string | undefined =>
  error instanceof ApiError ? texts.images.advice[error.status] : undefined;

export const ImageFormPanel = ({ form, files, onChange, onFiles, onSubmit, mutation }: Props) => {
  const { prices, offers } = useCurrentSession();
  const notOffered = IMAGE_SIZES.filter((size) => !offers.image_sizes.includes(size));
  const isMissing = form.prompt.trim() === '';
  return (
    <Composer
      isValid={!isMissing && !notOffered.includes(form.imageSize)}
      onSubmit={onSubmit}
      mutation={mutation}
      pendingLabel={texts.images.generating}
      count={form.count}
      price={imagePrice(prices, form.imageSize, form.count)}
      advice={adviceFor(mutation.error)}
      note={<ImageEstimate imageSize={form.imageSize} />}
    >
      {(showProblems) => (
        <>
          <PromptField
            value={form.prompt}
            problem={showProblems && isMissing ? texts.form.promptMissing : undefined}
            onChange={onChange}
            onCopyLink={() => copyImageLink(form, files)}
            History={PromptHistory}
          />
          <DropZone
            label={texts.form.inputs}
            most={MAX_INPUTS - form.kept.length}
            files={files.inputs}
            frame={toFrame(
              form.aspectRatio,
              IMAGE_ASPECT_RATIOS,
              (aspectRatio) => onChange({ aspectRatio }),
              true,
            )}
            onChange={(inputs) => onFiles({ inputs })}
          />
          <KeptInputs form={form} onChange={onChange} />
          <div class="ratio-grid">
            <RatioChoices
              legend={texts.form.aspectRatio}
              value={form.aspectRatio}
              ratios={IMAGE_ASPECT_RATIOS}
              onChange={(aspectRatio) => onChange({ aspectRatio })}
            />
          </div>
          <Choices
            legend={texts.form.size}
            value={form.imageSize}
            choices={IMAGE_SIZES.map((value) => ({ value, label: value }))}
            disabled={notOffered}
            reason={notOffered.map((size) => sizeNotOffered(size, offers.image_sizes))[0]}
            onChange={(imageSize) => onChange({ imageSize })}
          />
          <Choices
            legend={texts.images.count}
            value={form.count}
            choices={IMAGE_COUNTS.map((value) => ({ value, label: value }))}
            onChange={(count) => onChange({ count })}
          />
        </>
      )}
    </Composer>
  );
};
