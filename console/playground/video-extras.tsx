import { Field } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { allowsNegativePrompt, type VideoForm } from './video-form.ts';
import type { VideoProblems } from './video-problems.ts';

type Props = {
  readonly form: VideoForm;
  readonly problems: VideoProblems;
  readonly onChange: (change: Partial<VideoForm>) => void;
};

const Rehearsal = ({ form, onChange }: Pick<Props, 'form' | 'onChange'>) => (
  <Field label={texts.rehearsal.title} hint={texts.rehearsal.hint}>
    {(control) => (
      <select
        {...control}
        value={form.rehearsal}
        onChange={({ currentTarget }) => onChange({ rehearsal: currentTarget.value })}
      >
        <option value="">{texts.rehearsal.none}</option>
        {texts.rehearsal.choices.map(({ directive, label }) => (
          <option key={directive} value={directive}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** What most people leave as it is. */
export const VideoExtras = ({ form, problems, onChange }: Props) => {
  const { sample_generator } = useCurrentSession();
  const isUsed = form.negativePrompt !== '' || form.seed !== '' || form.rehearsal !== '';
  return (
    <details class="more" open={isUsed}>
      <summary>{texts.form.more}</summary>
      <div class="stack">
        <Field
          label={texts.form.negativePrompt}
          hint={allowsNegativePrompt(form) ? texts.form.negativePromptHint : texts.form.negativePromptRefused}
        >
          {(control) => (
            <input
              {...control}
              dir="auto"
              value={allowsNegativePrompt(form) ? form.negativePrompt : ''}
              disabled={!allowsNegativePrompt(form)}
              onInput={({ currentTarget }) => onChange({ negativePrompt: currentTarget.value })}
            />
          )}
        </Field>
        <Field label={texts.form.seed} hint={texts.form.seedHint} problem={problems.seed}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={form.seed}
              onInput={({ currentTarget }) => onChange({ seed: currentTarget.value.trim() })}
            />
          )}
        </Field>
        {sample_generator && <Rehearsal form={form} onChange={onChange} />}
      </div>
    </details>
  );
};
