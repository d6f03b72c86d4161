import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { LANGUAGES, type NamedImage, needsUpload, type Program, writeProgram } from '../parts/program.ts';
import { usePreference } from '../parts/storage.ts';
import { texts } from '../texts/texts.ts';
import { videoProgram } from './video-code.ts';
import type { VideoFiles, VideoForm } from './video-form.ts';

export const CodePanel = ({ program }: { readonly program: Program }) => {
  const [stored, setStored] = usePreference('language');
  const language = LANGUAGES.find((name) => name === stored) ?? 'curl';
  const code = writeProgram(language, program);
  return (
    <div class="stack">
      <Choices
        legend={texts.code.label}
        value={language}
        choices={LANGUAGES.map((value) => ({ value, label: texts.code.names[value] }))}
        onChange={setStored}
      />
      <CodeBlock code={code} label={texts.code.names[language]} />
      <p class="hint">
        {texts.code.note} {language === 'curl' && code.includes('jq ') && texts.code.jq}
      </p>
      {needsUpload(program.images) && <p class="hint">{texts.code.uploaded}</p>}
    </div>
  );
};

export type VideoCodeProps = { readonly form: VideoForm; readonly files: VideoFiles<NamedImage> };

export const VideoCodePanel = ({ form, files }: VideoCodeProps) => (
  <CodePanel program={videoProgram(form, files)} />
);
