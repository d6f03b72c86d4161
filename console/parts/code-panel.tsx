import { texts } from '../texts/texts.ts';
import { Choices } from './choices.tsx';
import { CodeBlock } from './code-block.tsx';
import { usePreference } from './preferences.ts';
import { LANGUAGES, needsUpload, type Program, writeProgram } from './program.ts';

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
