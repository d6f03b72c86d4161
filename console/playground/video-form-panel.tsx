import {
  ASPECT_RATIOS,
  DURATIONS,
  MAX_REFERENCE_IMAGES,
  RESOLUTIONS,
  VIDEO_MODELS,
} from '../../functions/platform/domain/models.ts';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { formatVideoPrice } from '../parts/format.ts';
import { useCurrentSession } from '../shell/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Composer, PromptField } from './playground-page.tsx';
import {
  actualSeconds,
  allowsNegativePrompt,
  eightSecondsReason,
  findProblems,
  imageRoles,
  VARIATIONS,
  VIDEO_MODES,
  type VideoFiles,
  type VideoForm,
  type VideoProblems,
} from './video-form.ts';

type FormProps = {
  readonly form: VideoForm;
  readonly onChange: (change: Partial<VideoForm>) => void;
};

type Props = FormProps & {
  readonly files: VideoFiles;
  readonly onFiles: (files: VideoFiles) => void;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
};

export const VideoFormPanel = ({ form, files, onChange, onFiles, onSubmit, isPending, error }: Props) => {
  const { prices } = useCurrentSession();
  const found = findProblems(form, files);
  return (
    <Composer
      isValid={Object.keys(found).length === 0}
      onSubmit={onSubmit}
      isPending={isPending}
      pendingLabel={texts.video.sending}
      count={form.variations}
      price={formatVideoPrice(prices, form.model, actualSeconds(form) * form.variations)}
      error={error}
    >
      {(showProblems) => {
        const problems = showProblems ? found : {};
        return (
          <>
            <Choices
              legend={texts.form.mode}
              long
              value={form.mode}
              choices={VIDEO_MODES.map((value) => ({ value, label: texts.modes[value] }))}
              onChange={(mode) => onChange({ mode })}
            />
            {imageRoles(form).map((role) => (
              <DropZone
                key={role}
                label={texts.roleLabels[role]}
                most={role === 'references' ? MAX_REFERENCE_IMAGES : 1}
                files={files[role]}
                {...(role === 'references' ? {} : { cropRatio: form.aspectRatio })}
                onChange={(chosen) => onFiles({ ...files, [role]: chosen })}
              />
            ))}
            {problems.images !== undefined && (
              <p class="wrong" role="alert">
                {problems.images}
              </p>
            )}
            <PromptField
              value={form.prompt}
              hint={texts.form.promptHint}
              problem={problems.prompt}
              onChange={onChange}
            />
            <ModelField form={form} onChange={onChange} />
            <FormatChoices form={form} onChange={onChange} />
            <Choices
              legend={texts.form.variations}
              value={form.variations}
              choices={VARIATIONS.map((value) => ({ value, label: value }))}
              reason={form.variations === 1 ? undefined : texts.form.variationsHint}
              onChange={(variations) => onChange({ variations })}
            />
            <MoreOptions form={form} problems={problems} onChange={onChange} />
          </>
        );
      }}
    </Composer>
  );
};

const ModelField = ({ form, onChange }: FormProps) => {
  const { prices } = useCurrentSession();
  const price = formatVideoPrice(prices, form.model, 1);
  return (
    <SelectField
      label={texts.form.model}
      hint={price === undefined ? undefined : texts.form.modelPrice(price)}
      value={form.model}
      options={VIDEO_MODELS.map((model) => [model, model] as const)}
      onChange={(value) => {
        const model = VIDEO_MODELS.find((name) => name === value);
        if (model !== undefined) onChange({ model });
      }}
    />
  );
};

const FormatChoices = ({ form, onChange }: FormProps) => {
  const reason = eightSecondsReason(form);
  return (
    <>
      <div class="options">
        <Choices
          legend={texts.form.resolution}
          value={form.resolution}
          choices={RESOLUTIONS.map((value) => ({ value, label: value }))}
          onChange={(resolution) => onChange({ resolution })}
        />
        <Choices
          legend={texts.form.seconds}
          value={actualSeconds(form)}
          choices={DURATIONS.map((value) => ({
            value,
            label: texts.form.secondsValue(value),
            disabled: reason !== undefined && value !== 8,
          }))}
          reason={reason === undefined ? undefined : texts.form.secondsFixed(reason)}
          onChange={(seconds) => onChange({ seconds })}
        />
      </div>
      <RatioChoices
        legend={texts.form.aspectRatio}
        value={form.aspectRatio}
        ratios={ASPECT_RATIOS}
        names={texts.form.ratios}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
      />
    </>
  );
};

const MoreOptions = ({ form, problems, onChange }: FormProps & { readonly problems: VideoProblems }) => {
  const { sample_generator } = useCurrentSession();
  const isUsed = form.negativePrompt !== '' || form.seed !== '' || form.testPrompt !== '';
  return (
    <details class="more" open={isUsed}>
      <summary>{texts.form.more}</summary>
      <div class="stack">
        <TextField
          label={texts.form.negativePrompt}
          hint={
            allowsNegativePrompt(form) ? texts.form.negativePromptHint : texts.form.negativePromptDisabled
          }
          dir="auto"
          value={allowsNegativePrompt(form) ? form.negativePrompt : ''}
          disabled={!allowsNegativePrompt(form)}
          onChange={(negativePrompt) => onChange({ negativePrompt })}
        />
        <TextField
          label={texts.form.seed}
          hint={texts.form.seedHint}
          problem={problems.seed}
          inputMode="numeric"
          autoComplete="off"
          value={form.seed}
          onChange={(seed) => onChange({ seed: seed.trim() })}
        />
        {sample_generator && (
          <SelectField
            label={texts.testPrompts.title}
            hint={texts.testPrompts.hint}
            value={form.testPrompt}
            options={[
              ['', texts.testPrompts.none],
              ...texts.testPrompts.choices.map(({ prompt, label }) => [prompt, label] as const),
            ]}
            onChange={(testPrompt) => onChange({ testPrompt })}
          />
        )}
      </div>
    </details>
  );
};
