import type { ComponentChildren } from 'preact';
import { CopyButton } from './code-block.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  readonly title: string;
  readonly text: string;
  /** Undefined closes the dialog. */
  readonly value: string | undefined;
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** Shows a key or a secret, which cannot be read again later. */
export const ShowOnce = ({ title, text, value, done, onClose, children }: Props) => (
  <Dialog title={title} open={value !== undefined} onClose={onClose}>
    <div class="stack">
      <p>{text}</p>
      <div class="key-value">
        <code>{value}</code>
        <CopyButton text={value ?? ''} />
      </div>
      {children}
      <div class="row dialog-actions">
        <button type="button" class="button button-primary" onClick={onClose}>
          {done}
        </button>
      </div>
    </div>
  </Dialog>
);
