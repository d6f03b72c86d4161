import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { notify } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

const SHOWN_MS = 1500;

export const CopyButton = ({ text, isSmall = false }: { text: string; isSmall?: boolean }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // On a plain http page, or where a person has said no; the browser's own words help nobody.
      notify(texts.errors.notCopied, 'bad');
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="button button-small" onClick={copy} aria-live="polite">
      {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      <span class={isSmall ? 'visually-hidden' : ''}>
        {copied ? texts.actions.copied : texts.actions.copy}
      </span>
    </button>
  );
};
