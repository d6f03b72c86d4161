import { useRef, useState } from 'preact/hooks';
import { MAX_REFERENCE_IMAGES } from '../../functions/platform/domain/models.ts';
import { useUploadPercent } from '../api/upload-progress.ts';
import { Choices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/first.ts';
import { videoPrice } from './price.ts';
import { VideoExtras } from './video-extras.tsx';
import { rolesOf, type VideoFiles } from './video-fields.ts';
import { secondsOf, VIDEO_MODES, type VideoForm } from './video-form.ts';
import { VideoOptions } from './video-options.tsx';
import { problemsOf } from './video-problems.ts';

type Props = {
  readonly form: VideoForm;
  readonly files: VideoFiles;
  readonly onChange: (change: Partial<VideoForm>) => void;
  readonly onFiles: (files: VideoFiles) => void;
  readonly onSubmit: () => void;
  readonly isSending: boolean;
  readonly error: Error | null;
};

const GenerateButton = ({ form, isSending }: Pick<Props, 'form' | 'isSending'>) => {
  const { prices } = useCurrentSession();
  const price = videoPrice(prices, form.model, secondsOf(form));
  const percent = useUploadPercent();
  const label = price === undefined ? texts.video.generate : texts.video.generateFor(price);
  const busyLabel = percent === undefined ? texts.video.generating : texts.video.uploading(percent);
  return (
    <button type="submit" class="button button-primary button-wide number" disabled={isSending}>
      {isSending ? busyLabel : label}
      <span class="keys" aria-hidden="true">
        {texts.form.submitKeys}
      </span>
    </button>
  );
};

export const VideoFormPanel = (props: Props) => {
  const { form, files, onChange, onFiles, onSubmit, isSending, error } = props;
  const element = useRef<HTMLFormElement>(null);
  // What is wrong is said after the first try, not while somebody is still typing.
  const [tried, setTried] = useState(false);
  const found = problemsOf(form, files);
  const shown = tried ? found : {};

  const submit = (event?: Event): void => {
    event?.preventDefault();
    if (isSending) return;
    setTried(true);
    if (Object.keys(found).length === 0) onSubmit();
    else
      requestAnimationFrame(() =>
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"], input[type="file"]')?.focus(),
      );
  };

  return (
    <form
      ref={element}
      class="card composer"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <Choices
        legend={texts.form.mode}
        long
        value={form.mode}
        choices={VIDEO_MODES.map((value) => ({ value, label: texts.modes[value] }))}
        onChange={(mode) => onChange({ mode })}
      />
      {rolesOf(form).map((role) => (
        <DropZone
          key={role}
          label={texts.roleLabels[role]}
          most={role === 'references' ? MAX_REFERENCE_IMAGES : 1}
          files={files[role]}
          onChange={(chosen) => onFiles({ ...files, [role]: chosen })}
        />
      ))}
      {shown.images !== undefined && (
        <p class="wrong" role="alert">
          {shown.images}
        </p>
      )}
      <Field label={texts.form.prompt} hint={texts.form.promptHint} problem={shown.prompt}>
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
      <VideoOptions form={form} onChange={onChange} />
      <VideoExtras form={form} problems={shown} onChange={onChange} />
      {error !== null && <ErrorProblem error={error} />}
      <div class="composer-end">
        <GenerateButton form={form} isSending={isSending} />
      </div>
    </form>
  );
};
