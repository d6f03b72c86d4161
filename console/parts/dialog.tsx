import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { Plus, Trash2 } from '../page-icons.mjs';
import { texts } from '../texts/texts.ts';
import { IconButton } from './buttons.tsx';
import { CopyButton } from './code-block.tsx';
import { ActionError } from './feedback.tsx';

type Props = {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
};

/** The native dialog element handles focus, Escape and the backdrop. */
export const Dialog = ({ title, open, onClose, children, wide = false }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${wide ? 'dialog-wide' : ''}`}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      {open && (
        <>
          <header class="row spread dialog-title">
            <h2 id={titleId}>{title}</h2>
            <IconButton
              icon={X}
              size={18}
              aria-label={texts.actions.close}
              onClick={() => dialog.current?.close()}
            />
          </header>
          {children}
        </>
      )}
    </dialog>
  );
};

type ButtonProps = {
  /** Of the dialog. */
  readonly title: string;
  readonly class?: string;
  readonly label: ComponentChildren;
  /** For a button with only an icon. */
  readonly name?: string | undefined;
  readonly children: (close: () => void) => ComponentChildren;
};

/** Several buttons with the same words name their row for people who do not see it. */
export const Named = ({ label, name }: { readonly label: string; readonly name: string }) => (
  <>
    {label}
    <span class="visually-hidden"> {name}</span>
  </>
);

/** A button that opens a dialog. */
export const DialogButton = ({ title, class: style = 'button', label, name, children }: ButtonProps) => {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class={style} aria-label={name} title={name} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog title={title} open={open} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
};

type CreationProps<Created> = {
  readonly label: string;
  /** Of the dialog; the label if it is not given. */
  readonly title?: string;
  readonly form: (onCreated: (created: Created) => void, close: () => void) => ComponentChildren;
  /** Undefined closes the second dialog. */
  readonly show: (created: Created | undefined, close: () => void) => ComponentChildren;
};

/**
 * A button that opens a form, and then shows once what was created. The dialogs are apart from the button, which moves
 * when a list gets its first row.
 */
export const useCreation = <Created,>({ label, title = label, form, show }: CreationProps<Created>) => {
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  const close = (): void => setIsOpen(false);
  const finish = (next: Created): void => {
    close();
    setCreated(next);
  };
  return {
    button: (
      <button type="button" class="button button-primary" onClick={() => setIsOpen(true)}>
        <Plus size={18} aria-hidden />
        {label}
      </button>
    ),
    dialogs: (
      <>
        <Dialog title={title} open={isOpen} onClose={close}>
          {form(finish, close)}
        </Dialog>
        {show(created, () => setCreated(undefined))}
      </>
    ),
  };
};

type ActionsProps = {
  readonly action: string;
  /** Without it, the action submits the form around it. */
  readonly onAction?: () => void;
  readonly onClose: () => void;
  readonly closeLabel?: string;
  readonly isPending: boolean;
  readonly isDestructive?: boolean;
};

export const DialogActions = (props: ActionsProps) => {
  const { action, onAction, onClose, closeLabel, isPending, isDestructive = false } = props;
  return (
    <div class="row dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        {closeLabel ?? texts.actions.cancel}
      </button>
      <button
        type={onAction === undefined ? 'submit' : 'button'}
        class={`button ${isDestructive ? 'button-destructive' : 'button-primary'}`}
        // A disabled button would lose the focus, so that the keyboard had to start at the top of the dialog again.
        aria-disabled={isPending}
        onClick={onAction}
      >
        {action}
      </button>
    </div>
  );
};

type FormProps = Pick<ActionsProps, 'action' | 'onClose' | 'isPending'> & {
  readonly onSubmit: () => void;
  readonly error: Error | null;
  readonly children: ComponentChildren;
};

/** A form in a dialog. It cannot be submitted again while its request is under way. */
export const DialogForm = ({ onSubmit, error, children, ...actions }: FormProps) => (
  <form
    class="stack"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (!actions.isPending) onSubmit();
    }}
  >
    {children}
    <ActionError error={error} />
    <DialogActions {...actions} />
  </form>
);

export type ConfirmProps = Omit<Props, 'children'> & {
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
};

type ConfirmButtonProps = Omit<ButtonProps, 'children'> &
  Pick<ConfirmProps, 'text' | 'action'> & {
    readonly onConfirm: () => Promise<unknown>;
    /** After the dialog was closed. */
    readonly onDone?: () => void;
  };

/** A button for an action that cannot be undone: it asks first. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { text, action, onConfirm, onDone, class: style = 'button', ...button } = props;
  const { mutate, isPending, error } = useMutation(onConfirm);
  return (
    <DialogButton class={`${style} button-danger`} {...button}>
      {(close) => (
        <div class="stack">
          <p>{text}</p>
          <ActionError error={error} />
          <DialogActions
            action={action}
            onAction={async () => {
              if (!(await mutate())) return;
              close();
              onDone?.();
            }}
            onClose={close}
            isPending={isPending}
            isDestructive
          />
        </div>
      )}
    </DialogButton>
  );
};

export const DeleteButton = (props: Omit<ConfirmButtonProps, 'label' | 'action'>) => (
  <ConfirmButton
    {...props}
    action={texts.actions.delete}
    label={
      <>
        <Trash2 size={16} aria-hidden />
        {texts.actions.delete}
      </>
    }
  />
);

/** Asks before an action that cannot be undone. */
export const Confirm = ({ text, action, onConfirm, isPending, error, ...dialog }: ConfirmProps) => (
  <Dialog {...dialog}>
    <div class="stack">
      <p>{text}</p>
      <ActionError error={error} />
      <DialogActions
        action={action}
        onAction={onConfirm}
        onClose={dialog.onClose}
        isPending={isPending}
        isDestructive
      />
    </div>
  </Dialog>
);

type ShowOnceProps = {
  readonly title: string;
  readonly text: string;
  /** Undefined closes the dialog. */
  readonly value: string | undefined;
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** Shows a key or a secret, which cannot be read again later. */
export const ShowOnce = ({ title, text, value, done, onClose, children }: ShowOnceProps) => (
  <Dialog title={title} open={value !== undefined} onClose={onClose}>
    <div class="stack">
      <p>{text}</p>
      <div class="row spread key-value">
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
