import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { usePreference } from '../storage/preferences.ts';
import { texts } from '../texts.ts';
import { LANGUAGES, videoCode } from './video-code.ts';
import type { VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

type Props = { readonly form: VideoForm; readonly files: VideoFiles<{ readonly name: string }> };

export const VideoCodePanel = ({ form, files }: Props) => {
  const [stored, setStored] = usePreference('language');
  const language = LANGUAGES.find((name) => name === stored) ?? 'curl';
  return (
    <div class="stack">
      <Choices
        legend={texts.code.label}
        value={language}
        choices={LANGUAGES.map((value) => ({ value, label: texts.code.names[value] }))}
        onChange={setStored}
      />
      <CodeBlock code={videoCode(language, form, files)} label={texts.code.names[language]} />
      <p class="hint">{texts.code.note}</p>
    </div>
  );
};
