import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Props = {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** The browser's own dialog: focus, Escape and the backdrop come with it. */
export const Dialog = ({ title, open, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose}>
      {open && (
        <>
          <header class="row spread dialog-title">
            <h2 id={titleId}>{title}</h2>
            <button
              type="button"
              class="icon-button"
              aria-label={texts.actions.close}
              onClick={() => dialog.current?.close()}
            >
              <X size={18} aria-hidden />
            </button>
          </header>
          {children}
        </>
      )}
    </dialog>
  );
};
