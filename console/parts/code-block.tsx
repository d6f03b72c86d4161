import { CopyButton } from './copy-button.tsx';

export const CodeBlock = ({ code, label }: { readonly code: string; readonly label: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
    <CopyButton text={code} isSmall />
  </div>
);
