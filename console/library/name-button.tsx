import { useState } from 'preact/hooks';
import { MAX_NAME_CHARACTERS } from '../../functions/platform/domain/text.ts';
import { useMutation } from '../api/hooks.ts';
import { Pencil } from '../page-icons.mjs';
import { Dialog, DialogForm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly label?: string;
  readonly icon?: typeof Pencil;
  readonly isPrimary?: boolean;
  /** Of the dialog. */
  readonly title: string;
  readonly hint?: string;
  readonly name: string;
  readonly onSave: (name: string) => Promise<unknown>;
};

/** Asks for a name, of a new collection or instead of the one that something has. */
export const NameButton = (props: Props) => {
  const { label = texts.library.rename, icon: Icon = Pencil, isPrimary = false, title, hint, onSave } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const { mutate, isPending, error, reset } = useMutation(
    () => onSave(name.trim()),
    () => setIsOpen(false),
  );
  if (!useIsAllowed('keep')) return null;
  return (
    <>
      <button
        type="button"
        class={`button ${isPrimary ? 'button-primary' : ''}`}
        onClick={() => {
          setName(props.name);
          reset();
          setIsOpen(true);
        }}
      >
        <Icon size={16} aria-hidden />
        {label}
      </button>
      <Dialog title={title} open={isOpen} onClose={() => setIsOpen(false)}>
        <DialogForm
          action={texts.library.save}
          onSubmit={() => void mutate()}
          onClose={() => setIsOpen(false)}
          isPending={isPending}
          error={error}
        >
          <Field label={texts.library.name} hint={hint}>
            {(control) => (
              <input
                {...control}
                dir="auto"
                maxLength={MAX_NAME_CHARACTERS}
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
        </DialogForm>
      </Dialog>
    </>
  );
};
