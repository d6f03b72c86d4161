import { writeCall } from '../connect/mcp-call.ts';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { LANGUAGES, type NamedImage, needsUpload, type Program, writeProgram } from '../parts/program.ts';
import { usePreference } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import { videoProgram } from './video-code.ts';
import type { VideoFiles, VideoForm } from './video-form.ts';

/** Programs, and the call of an agent. */
const FORMS = [...LANGUAGES, 'mcp'] as const;

export const CodePanel = ({ program }: { readonly program: Program }) => {
  const [stored, setStored] = usePreference('language');
  const language = FORMS.find((name) => name === stored) ?? 'curl';
  const code = language === 'mcp' ? writeCall(program) : writeProgram(language, program);
  return (
    <div class="stack">
      <Choices
        legend={texts.code.label}
        value={language}
        choices={FORMS.map((value) => ({ value, label: texts.code.names[value] }))}
        onChange={setStored}
      />
      <CodeBlock code={code} label={texts.code.names[language]} />
      <p class="hint">
        {language === 'mcp' ? texts.code.mcp : texts.code.note}{' '}
        {language === 'curl' && code.includes('jq ') && texts.code.jq}
      </p>
      {language !== 'mcp' && needsUpload(program.images) && <p class="hint">{texts.code.uploaded}</p>}
    </div>
  );
};

type VideoCodeProps = { readonly form: VideoForm; readonly files: VideoFiles<NamedImage> };

export const VideoCodePanel = ({ form, files }: VideoCodeProps) => (
  <CodePanel program={videoProgram(form, files)} />
);
