import { useState } from 'preact/hooks';
import { MAX_NAME_CHARACTERS } from '../../functions/platform/domain/text.ts';
import { useMutation } from '../api/hooks.ts';
import { Pencil } from '../page-icons.mjs';
import { DialogButton, DialogForm } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly label?: string;
  readonly icon?: typeof Pencil;
  readonly kind?: string;
  /** Of the dialog. */
  readonly title: string;
  readonly hint?: string;
  readonly name: string;
  readonly onSave: (name: string) => Promise<unknown>;
};

const NameForm = ({ name: initial, hint, onSave, onClose }: Props & { readonly onClose: () => void }) => {
  const [name, setName] = useState(initial);
  const saving = useMutation(() => onSave(name.trim()), onClose);
  return (
    <DialogForm action={texts.actions.save} mutation={saving} onClose={onClose}>
      <TextField
        label={texts.form.name}
        hint={hint}
        dir="auto"
        maxLength={MAX_NAME_CHARACTERS}
        value={name}
        onChange={setName}
      />
    </DialogForm>
  );
};

/** Asks for a name, of a new collection or instead of the one that something has. */
export const NameButton = (props: Props) => {
  const { label = texts.library.rename, icon = Pencil, kind, title } = props;
  if (!useIsAllowed('keep')) return null;
  return (
    <DialogButton icon={icon} label={label} kind={kind} title={title}>
      {(close) => <NameForm {...props} onClose={close} />}
    </DialogButton>
  );
};
