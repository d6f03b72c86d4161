import { useState } from 'preact/hooks';
import { changeCollection, collections, createCollection } from '../api/collections.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { Plus } from '../page-icons.mjs';
import { DialogButton, DialogForm } from '../parts/dialog.tsx';
import { LoadState } from '../parts/feedback.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { notify } from '../session/notices.ts';
import { useHasFeature, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly ids: readonly string[];
  readonly isSmall?: boolean;
  readonly onAdded?: () => void;
};

/** The value that stands for a collection that does not exist yet. */
const NEW = '';

type FormProps = Pick<Props, 'ids'> & { readonly onAdded: () => void; readonly onClose: () => void };

/** An existing collection, the newest by default, or a new one. */
const AddForm = ({ ids, onAdded, onClose }: FormProps) => {
  const query = useQuery(collections);
  const known = query.data;
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const target = chosen ?? known?.[0]?.id ?? NEW;
  const addition = useMutation(async () => {
    const collection =
      target === NEW
        ? await createCollection(name.trim(), ids)
        : await changeCollection(target, { add_item_ids: ids });
    notify(texts.collections.added(collection.name));
  }, onAdded);
  if (known === undefined) return <LoadState {...query} />;
  return (
    <DialogForm action={texts.collections.add} mutation={addition} onClose={onClose}>
      {known.length > 0 && (
        <SelectField
          label={texts.collections.one}
          value={target}
          options={[...known.map(({ id, name }) => [id, name] as const), [NEW, texts.collections.create]]}
          onChange={setChosen}
        />
      )}
      {target === NEW && (
        <TextField label={texts.collections.name} dir="auto" value={name} onChange={setName} />
      )}
    </DialogForm>
  );
};

export const AddToCollection = ({ ids, isSmall = false, onAdded }: Props) => {
  const isOffered = useHasFeature('collections');
  if (!useIsAllowed('keep') || !isOffered) return null;
  return (
    <DialogButton icon={Plus} label={texts.collections.add} isSmall={isSmall}>
      {(close) => (
        <AddForm
          ids={ids}
          onClose={close}
          onAdded={() => {
            close();
            onAdded?.();
          }}
        />
      )}
    </DialogButton>
  );
};
