import { useMutation } from '../api/hooks.ts';
import { updateItem } from '../api/library.ts';
import { Bookmark } from '../page-icons.mjs';
import { notify, orNotify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly id: string;
  readonly isKept: boolean;
  /** Names the item for people who do not see it. */
  readonly name: string;
  /** Only the icon, for a card. */
  readonly isSmall?: boolean;
};

/** Stores the item until it is released. A problem, such as full storage, appears as a notice. */
export const KeepButton = ({ id, isKept, name, isSmall = false }: Props) => {
  const { mutate, isPending } = useMutation(() =>
    orNotify(async () => {
      await updateItem(id, { kept: !isKept });
      notify(isKept ? texts.library.released : texts.library.isKeptNow);
    }),
  );
  if (!useIsAllowed('keep')) return null;
  const label = isKept ? texts.library.release : texts.library.keep;
  return (
    <button
      type="button"
      class={isSmall ? 'item-keep' : 'button'}
      aria-pressed={isKept}
      // A disabled button would lose the focus.
      aria-disabled={isPending}
      {...(isSmall && { 'aria-label': texts.library.keepItem(name), title: label })}
      onClick={() => void mutate()}
    >
      <Bookmark size={16} fill={isKept ? 'currentColor' : 'none'} aria-hidden />
      {!isSmall && (isKept ? texts.library.kept : texts.library.keep)}
    </button>
  );
};
