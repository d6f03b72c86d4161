import { Check, Copy } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { notify } from '../session/notices.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { SmallButton } from './buttons.tsx';

const SHOWN_MS = 1500;

export const CopyButton = ({ text, isSmall = false }: { text: string; isSmall?: boolean }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Plain http or a denied permission; the browser's own message does not help.
      notify(texts.errors.notCopied, 'bad');
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <SmallButton onClick={copy} aria-live="polite">
      {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      <span class={isSmall ? 'visually-hidden' : ''}>
        {copied ? texts.actions.copied : texts.actions.copy}
      </span>
    </SmallButton>
  );
};

type Props = { readonly code: string; readonly label: string; readonly children?: ComponentChildren };

/** The children replace the code on the page, but not in the clipboard. */
export const CodeBlock = ({ code, label, children = code }: Props) => (
  <div class="code box">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
    <CopyButton text={code} isSmall />
  </div>
);
