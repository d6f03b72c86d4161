import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Mutation, useMutation } from '../api/hooks.ts';
import { Plus, Trash2 } from '../page-icons.mjs';
import { texts } from '../texts/texts.ts';
import { Button, type ButtonProps, IconButton } from './buttons.tsx';
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
      class={`dialog raised ${wide ? 'dialog-wide' : ''}`}
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

type DialogButtonProps = Pick<ButtonProps, 'icon' | 'iconSize' | 'isSmall' | 'kind'> & {
  readonly label: string;
  /** Names its row for people who do not see it, where several buttons have the same label. */
  readonly name?: string;
  /** Shows only the icon. */
  readonly isIcon?: boolean;
  /** Of the dialog; the label if it is not given. */
  readonly title?: string;
  readonly children: (close: () => void) => ComponentChildren;
};

export const DialogButton = (props: DialogButtonProps) => {
  const { label, name, icon, isIcon = false, title = label, children, ...button } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const open = (): void => setIsOpen(true);
  return (
    <>
      {isIcon && icon !== undefined ? (
        <IconButton icon={icon} aria-label={label} title={label} onClick={open} />
      ) : (
        <Button icon={icon} {...button} onClick={open}>
          {label}
          {name !== undefined && <span class="visually-hidden"> {name}</span>}
        </Button>
      )}
      <Dialog title={title} open={isOpen} onClose={close}>
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
      <Button icon={Plus} iconSize={18} kind="button-primary" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
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

type ActionProps = {
  readonly action: string;
  readonly mutation: Pick<Mutation, 'isPending' | 'error'>;
  readonly onAction: () => void;
  readonly onClose: () => void;
  readonly closeLabel?: string;
  readonly isDestructive?: boolean;
  /** The action then submits the form around it. */
  readonly isForm?: boolean;
  readonly children: ComponentChildren;
};

/** The content of a dialog with an action: below it the error of the action, and the buttons. */
export const DialogAction = (props: ActionProps) => {
  const { action, mutation, onAction, onClose, isDestructive = false, isForm = false, children } = props;
  return (
    <div class="stack">
      {children}
      <ActionError error={mutation.error} />
      <div class="row row-end">
        <Button onClick={onClose}>{props.closeLabel ?? texts.actions.cancel}</Button>
        <Button
          type={isForm ? 'submit' : 'button'}
          kind={isDestructive ? 'button-destructive' : 'button-primary'}
          // A disabled button would lose the focus, so that the keyboard had to start at the top of the dialog again.
          aria-disabled={mutation.isPending}
          onClick={isForm ? undefined : onAction}
        >
          {action}
        </Button>
      </div>
    </div>
  );
};

/** Why the fields of a form cannot be submitted: shown after the first attempt. */
export const useProblems = <Problems extends Readonly<Record<string, string | undefined>>>(
  problems: Problems,
  onSubmit: () => unknown,
) => {
  const [isSubmitted, setIsSubmitted] = useState(false);
  const submit = (): void => {
    setIsSubmitted(true);
    if (Object.values(problems).every((problem) => problem === undefined)) onSubmit();
  };
  const shown: Partial<Problems> = isSubmitted ? problems : {};
  return [shown, submit] as const;
};

type FormProps = Pick<ActionProps, 'action' | 'onClose' | 'children'> & {
  readonly mutation: Mutation;
  /** Instead of the mutation. */
  readonly onSubmit?: () => void;
};

/** A form in a dialog. It cannot be submitted again while its request is under way. */
export const DialogForm = ({ mutation, onSubmit = () => void mutation.mutate(), ...action }: FormProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (!mutation.isPending) onSubmit();
    }}
  >
    <DialogAction {...action} mutation={mutation} onAction={onSubmit} isForm />
  </form>
);

type ConfirmButtonProps = Omit<DialogButtonProps, 'children'> & {
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  /** After the dialog was closed. */
  readonly onDone?: () => void;
};

/** A button for an action that cannot be undone: it asks first. */
export const ConfirmButton = ({ text, action, onConfirm, onDone, ...button }: ConfirmButtonProps) => {
  const mutation = useMutation(onConfirm);
  return (
    <DialogButton kind="button-danger" {...button}>
      {(close) => (
        <DialogAction
          action={action}
          mutation={mutation}
          onAction={async () => {
            if (!(await mutation.mutate())) return;
            close();
            onDone?.();
          }}
          onClose={close}
          isDestructive
        >
          <p>{text}</p>
        </DialogAction>
      )}
    </DialogButton>
  );
};

export const DeleteButton = (props: Omit<ConfirmButtonProps, 'label' | 'action'>) => (
  <ConfirmButton {...props} icon={Trash2} action={texts.actions.delete} label={texts.actions.delete} />
);

type ConfirmProps = Omit<Props, 'children'> & Pick<ActionProps, 'action' | 'mutation'>;

export const Confirm = (props: ConfirmProps & { readonly text: string; readonly onConfirm: () => void }) => {
  const { text, action, mutation, onConfirm, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <DialogAction
        action={action}
        mutation={mutation}
        onAction={onConfirm}
        onClose={dialog.onClose}
        isDestructive
      >
        <p>{text}</p>
      </DialogAction>
    </Dialog>
  );
};

type ShowOnceProps = {
  readonly title: string;
  readonly text: string;
  /** Undefined closes the dialog. */
  readonly value: string | undefined;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** Shows a key or a secret, which cannot be read again later. */
export const ShowOnce = ({ title, text, value, onClose, children }: ShowOnceProps) => (
  <Dialog title={title} open={value !== undefined} onClose={onClose}>
    <div class="stack">
      <p>{text}</p>
      <div class="row spread key-value box">
        <code>{value}</code>
        <CopyButton text={value ?? ''} />
      </div>
      {children}
      <div class="row row-end">
        <Button kind="button-primary" onClick={onClose}>
          {texts.actions.doneCopying}
        </Button>
      </div>
    </div>
  </Dialog>
);
