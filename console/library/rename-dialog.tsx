import { useState } from 'preact/hooks';
import { MAX_NAME_CHARACTERS } from '../../functions/platform/domain/text.ts';
import { useMutation } from '../api/hooks.ts';
import { updateItem } from '../api/library.ts';
import { Pencil } from '../page-icons.mjs';
import { Dialog, DialogForm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { itemName, type LibraryItem } from './items.ts';

type Props = { readonly item: LibraryItem };

/** An empty name removes it: the item then has its prompt again. */
export const RenameButton = ({ item }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation(
    () => updateItem(item.id, { name: name.trim() === '' ? null : name.trim() }),
    () => setIsOpen(false),
  );
  if (!useIsAllowed('keep')) return null;
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          setName(itemName(item) ?? '');
          setIsOpen(true);
        }}
      >
        <Pencil size={16} aria-hidden />
        {texts.library.rename}
      </button>
      <Dialog title={texts.library.renameTitle} open={isOpen} onClose={() => setIsOpen(false)}>
        <DialogForm
          action={texts.library.save}
          onSubmit={() => void mutate()}
          onClose={() => setIsOpen(false)}
          isPending={isPending}
          error={error}
        >
          <Field label={texts.library.name} hint={texts.library.nameHint}>
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
