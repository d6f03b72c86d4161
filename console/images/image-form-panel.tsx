import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/images/domain/image-request.ts';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { formatImagePrice } from '../parts/format.ts';
import { Composer, PromptField } from '../playground/playground-page.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { type ImageFiles, type ImageForm, MAX_INPUTS } from './image-form.ts';

type Props = {
  readonly form: ImageForm;
  readonly files: ImageFiles;
  readonly onChange: (change: Partial<ImageForm>) => void;
  readonly onFiles: (files: ImageFiles) => void;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
};

export const ImageFormPanel = ({ form, files, onChange, onFiles, onSubmit, isPending, error }: Props) => {
  const { prices } = useCurrentSession();
  const isValid = form.prompt.trim() !== '';
  return (
    <Composer
      isValid={isValid}
      onSubmit={onSubmit}
      isPending={isPending}
      pendingLabel={texts.images.generating}
      price={formatImagePrice(prices, form.imageSize)}
      error={error}
    >
      {(showProblems) => (
        <>
          <PromptField
            value={form.prompt}
            problem={showProblems && !isValid ? texts.form.promptMissing : undefined}
            onChange={onChange}
          />
          <DropZone
            label={texts.form.inputs}
            most={MAX_INPUTS}
            files={files.inputs}
            onChange={(inputs) => onFiles({ inputs })}
          />
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
            onChange={(imageSize) => onChange({ imageSize })}
          />
        </>
      )}
    </Composer>
  );
};
