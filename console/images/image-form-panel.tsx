import { useState } from 'preact/hooks';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/images/domain/image-request.ts';
import { useUploadPercent } from '../api/upload-progress.ts';
import { Choices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { RatioShape } from '../parts/ratio-shape.tsx';
import { imagePrice } from '../playground/price.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';
import { type ImageFiles, type ImageForm, MAX_INPUTS } from './image-form.ts';

type Props = {
  readonly form: ImageForm;
  readonly files: ImageFiles;
  readonly onChange: (change: Partial<ImageForm>) => void;
  readonly onFiles: (files: ImageFiles) => void;
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
};

export const ImageFormPanel = ({ form, files, onChange, onFiles, onSubmit, isBusy, error }: Props) => {
  const { prices } = useCurrentSession();
  const [tried, setTried] = useState(false);
  const isMissing = form.prompt.trim() === '';
  const price = imagePrice(prices, form.imageSize);
  const percent = useUploadPercent();
  const label = price === undefined ? texts.video.generate : texts.video.generateFor(price);
  const busyLabel = percent === undefined ? texts.images.generating : texts.video.uploading(percent);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isBusy) return;
    setTried(true);
    if (!isMissing) onSubmit();
  };
  return (
    <form
      class="card composer"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <Field label={texts.form.prompt} problem={tried && isMissing ? texts.form.promptMissing : undefined}>
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={4}
            value={form.prompt}
            onInput={({ currentTarget }) => onChange({ prompt: currentTarget.value })}
          />
        )}
      </Field>
      <DropZone
        label={texts.form.inputs}
        most={MAX_INPUTS}
        files={files.inputs}
        onChange={(inputs) => onFiles({ inputs })}
      />
      <div class="ratio-grid">
        <Choices
          legend={texts.form.aspectRatio}
          value={form.aspectRatio}
          choices={IMAGE_ASPECT_RATIOS.map((value) => ({
            value,
            label: (
              <>
                <RatioShape ratio={value} />
                {value}
              </>
            ),
          }))}
          onChange={(aspectRatio) => onChange({ aspectRatio })}
        />
      </div>
      <Choices
        legend={texts.form.size}
        value={form.imageSize}
        choices={IMAGE_SIZES.map((value) => ({ value, label: value }))}
        onChange={(imageSize) => onChange({ imageSize })}
      />
      {error !== null && <ErrorProblem error={error} />}
      <div class="composer-end">
        <button type="submit" class="button button-primary button-wide number" disabled={isBusy}>
          {isBusy ? busyLabel : label}
          <span class="keys" aria-hidden="true">
            {texts.form.submitKeys}
          </span>
        </button>
      </div>
    </form>
  );
};
