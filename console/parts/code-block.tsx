import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';

type Props = { readonly code: string; readonly label: string; readonly children?: ComponentChildren };

/** The children, if any, are the code as it is shown. */
export const CodeBlock = ({ code, label, children = code }: Props) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
    <CopyButton text={code} isSmall />
  </div>
);
