import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { truncate } from '../../functions/platform/domain/text.ts';
import { useMutation, useStore } from '../api/hooks.ts';
import { updateItem } from '../api/library.ts';
import { createStore } from '../api/query.ts';
import { send } from '../api/request.ts';
import { PREFIX } from '../environment.ts';
import { Bookmark, Trash2 } from '../page-icons.mjs';
import { SmallButton } from '../parts/buttons.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Problem } from '../parts/feedback.tsx';
import { formatNumber } from '../parts/format.ts';
import { download } from '../parts/object-url.ts';
import { shownPrompt } from '../parts/video-stage.tsx';
import { CompareDialog } from '../playground/compare-dialog.tsx';
import { notify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { AddToCollection } from './add-to-collection.tsx';
import { deleteItem, itemContentPath } from './item-actions.tsx';
import { forEachItem, type LibraryItem, type Outcome } from './items.ts';
import { isPlayable, itemTitle } from './poster.tsx';
import { canZip, downloadZip } from './zip-download.tsx';

/** The chosen items, outside of the page's state, so that a choice renders one card and not all of them. */
const allChosen = createStore<ReadonlyMap<string, LibraryItem>>(new Map());

/** The items of the page in their order, and the one that was chosen last, where a range begins. */
let listed: readonly LibraryItem[] = [];
let lastId: string | undefined;

const rangeTo = (item: LibraryItem): readonly LibraryItem[] => {
  const [from, to] = [lastId, item.id]
    .map((id) => listed.findIndex((each) => each.id === id))
    .toSorted((one, other) => one - other);
  return from === undefined || to === undefined || from < 0 ? [item] : listed.slice(from, to + 1);
};

/** With the Shift key, all items between the last one and these. */
const setChosen = (items: readonly LibraryItem[], isChosen: boolean, isRange: boolean): void => {
  const next = new Map(allChosen.get());
  for (const each of isRange ? items.flatMap(rangeTo) : items)
    if (isChosen) next.set(each.id, each);
    else next.delete(each.id);
  lastId = items.at(-1)?.id;
  allChosen.set(next);
};

const chooseOnly = (items: readonly LibraryItem[]): void =>
  allChosen.set(new Map(items.map((item) => [item.id, item])));

export const Check = ({ items }: { readonly items: readonly LibraryItem[] }) => {
  const [first] = items;
  return (
    <input
      type="checkbox"
      class="item-check"
      aria-label={texts.library.choose(first === undefined ? '' : itemTitle(first))}
      checked={useStore(allChosen, (all) => items.every(({ id }) => all.has(id)))}
      // The click knows the Shift key; the keyboard also causes a click.
      onClick={({ currentTarget, shiftKey }) => setChosen(items, currentTarget.checked, shiftKey)}
    />
  );
};

/** Browsers ignore downloads that follow each other too closely. */
const DOWNLOAD_PAUSE_MS = 300;

/** Asks first whether the file is there, because a link that fails shows nothing. */
const downloadItem = async (item: LibraryItem): Promise<void> => {
  const path = itemContentPath(item);
  await send(path, { method: 'HEAD' });
  download(`${PREFIX}${path}`);
  await new Promise((resolve) => setTimeout(resolve, DOWNLOAD_PAUSE_MS));
};

const MAX_NAME = 60;

const Failures = ({ title, failed }: { readonly title: string; readonly failed: Outcome['failed'] }) => (
  <Problem
    message={title}
    details={failed.map(({ item, error }) => [truncate(shownPrompt(item), MAX_NAME), error.message])}
  />
);

type Props = {
  /** The items that can be chosen. */
  readonly items: readonly LibraryItem[];
  readonly onDeleted: (ids: ReadonlySet<string>) => void;
};

export const SelectionBar = ({ items, onDeleted }: Props) => {
  const all = useStore(allChosen, (chosen) => chosen);
  listed = items;
  const chosen = items.filter(({ id }) => all.has(id));
  const [isOpen, setIsOpen] = useState(false);
  const [isComparing, setIsComparing] = useState(false);
  const pair = chosen.flatMap((item) => (item.kind === 'video' && isPlayable(item) ? [item.video] : []));
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState<{ readonly title: string; readonly failed: Outcome['failed'] }>();

  const total = formatNumber(chosen.length);
  const finish = (
    { done, failed }: Outcome,
    doneText: (count: string) => string,
    title: (count: string, total: string) => string,
  ): void => {
    if (done.length > 0) notify(doneText(formatNumber(done.length)));
    setProblem(
      failed.length === 0 ? undefined : { title: title(formatNumber(failed.length), total), failed },
    );
    // The others stay chosen, to try again.
    chooseOnly(failed.map(({ item }) => item));
  };
  const remove = useMutation(async () => {
    const outcome = await forEachItem(chosen, deleteItem, setCount);
    setIsOpen(false);
    onDeleted(new Set(outcome.done.map(({ id }) => id)));
    finish(outcome, texts.library.deleted, texts.library.notDeleted);
  });
  const downloads = useMutation(async () => {
    const outcome =
      chosen.length > 1 && (await canZip())
        ? await downloadZip(chosen, setCount)
        : await forEachItem(chosen, downloadItem, setCount, 1);
    finish(outcome, texts.library.downloaded, texts.library.notDownloaded);
  });
  const keep = useMutation(async () => {
    const outcome = await forEachItem(chosen, ({ id }) => updateItem(id, { kept: true }), setCount);
    finish(outcome, texts.library.keptSeveral, texts.library.notKept);
  });
  const isBusy = remove.isPending || downloads.isPending || keep.isPending;
  const actions = [
    [true, texts.library.chooseAll(formatNumber(items.length)), undefined, () => chooseOnly(items)],
    [true, texts.actions.download, Download, () => void downloads.mutate()],
    [useIsAllowed('keep'), texts.library.keep, Bookmark, () => void keep.mutate()],
    [pair.length === 2, texts.recent.compare, undefined, () => setIsComparing(true)],
    [useIsAllowed('delete'), texts.actions.delete, Trash2, () => setIsOpen(true)],
    [
      true,
      texts.library.chooseNone,
      undefined,
      () => {
        setProblem(undefined);
        chooseOnly([]);
      },
    ],
  ] as const;
  if (chosen.length === 0 && problem === undefined) return null;
  return (
    <section class="selection raised" aria-label={texts.library.selection}>
      {problem !== undefined && <Failures {...problem} />}
      {chosen.length > 0 && (
        <div class="row spread">
          <p role="status" class="number">
            {isBusy ? texts.library.working(formatNumber(count), total) : texts.library.chosen(total)}
          </p>
          <div class="row">
            <AddToCollection ids={chosen.map(({ id }) => id)} isSmall onAdded={() => chooseOnly([])} />
            {actions.map(
              ([isOffered, label, icon, run]) =>
                isOffered && (
                  <SmallButton
                    key={label}
                    icon={icon}
                    kind={icon === Trash2 ? 'button-danger' : ''}
                    disabled={isBusy}
                    onClick={() => {
                      setCount(0);
                      run();
                    }}
                  >
                    {label}
                  </SmallButton>
                ),
            )}
          </div>
        </div>
      )}
      <CompareDialog
        videos={pair}
        shownId={pair[0]?.id}
        open={isComparing && pair.length === 2}
        onClose={() => setIsComparing(false)}
      />
      <Confirm
        open={isOpen}
        title={texts.library.deleteTitle(total)}
        text={texts.library.deleteText(total)}
        action={remove.isPending ? texts.library.working(formatNumber(count), total) : texts.actions.delete}
        onConfirm={() => void remove.mutate()}
        onClose={() => setIsOpen(false)}
        mutation={remove}
      />
    </section>
  );
};
