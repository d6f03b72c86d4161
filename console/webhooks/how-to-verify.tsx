import { useState } from 'preact/hooks';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { texts } from '../texts/texts.ts';
import { VERIFY_CODE, VERIFY_LANGUAGES, type VerifyLanguage } from './verify-code.ts';

export const HowToVerify = () => {
  const [language, setLanguage] = useState<VerifyLanguage>('node');
  return (
    <section class="card stack">
      <h2>{texts.webhooks.verify}</h2>
      <p>{texts.webhooks.verifyText}</p>
      <Choices
        legend={texts.code.label}
        value={language}
        choices={VERIFY_LANGUAGES.map((value) => ({ value, label: texts.code.names[value] }))}
        onChange={setLanguage}
      />
      <CodeBlock code={VERIFY_CODE[language]} label={texts.code.names[language]} />
      <p class="hint">{texts.webhooks.verifyNote}</p>
    </section>
  );
};
