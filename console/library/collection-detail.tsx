import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { CollectionObject } from '../../functions/library/api/collection-object.ts';
import {
  type CollectionChange,
  changeCollection,
  collections,
  deleteCollection,
} from '../api/collections.ts';
import { useQuery } from '../api/hooks.ts';
import { DeleteButton } from '../parts/dialog.tsx';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { formatNumber } from '../parts/format.ts';
import { BackLink } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notify, notifyError } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { CollectedCard, loadItems, moveItem } from './collected-items.tsx';
import { COLLECTIONS_PATH } from './collections.tsx';
import type { LibraryItem } from './items.ts';
import { NameButton } from './name-button.tsx';
import { hasContent, itemTitle } from './poster.tsx';
import { ShareButton } from './share-dialog.tsx';
import { ZipButton } from './zip-download.tsx';

type Props = { readonly collection: CollectionObject };

/** One line in the list of the zip file. */
const describe = (item: LibraryItem): string => itemTitle(item).replaceAll(/\s+/g, ' ');

/** The items that have a file; says how many have none. */
const loadFiles = async (ids: readonly string[]): Promise<readonly LibraryItem[]> => {
  const items = (await loadItems(ids)).filter(hasContent);
  const missing = ids.length - items.length;
  if (missing > 0) notify(texts.collections.missing(formatNumber(missing)));
  return items;
};

const Delete = ({ collection }: Props) => {
  const [, navigate] = useLocation();
  return (
    <DeleteButton
      title={texts.collections.deleteTitle}
      text={texts.collections.deleteText}
      onConfirm={() => deleteCollection(collection.id)}
      onDone={() => {
        notify(texts.collections.deleted);
        navigate(COLLECTIONS_PATH, { replace: true });
      }}
    />
  );
};

const Actions = ({ collection }: Props) => {
  const { id, name, item_ids } = collection;
  const title = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return (
    <div class="row">
      {item_ids.length > 0 && (
        <ZipButton
          total={item_ids.length}
          load={() => loadFiles(item_ids)}
          sequence={{ title, listName: 'items.txt', describe }}
        />
      )}
      <ShareButton item={{ collection_id: id }} />
      <NameButton
        title={texts.collections.renameTitle}
        name={name}
        onSave={(next) => changeCollection(id, { name: next })}
      />
      {useIsAllowed('keep') && <Delete collection={collection} />}
    </div>
  );
};

/** Moving an element in the page takes the focus from it. */
const useKeptFocus = (ids: readonly string[]) => {
  const focused = useRef<HTMLElement>();
  useLayoutEffect(() => {
    focused.current?.focus();
    focused.current = undefined;
  }, [ids]);
  return (): void => {
    if (document.activeElement instanceof HTMLElement) focused.current = document.activeElement;
  };
};

/** The items in their order, which can be changed by dragging and with buttons. */
const Items = ({ collection }: Props) => {
  const { id, item_ids: ids, cover_id } = collection;
  const mayChange = useIsAllowed('keep');
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useKeptFocus(ids);
  const change = (next: CollectionChange, shown: Partial<CollectionObject>): void =>
    void changeCollection(id, next, shown).catch(notifyError);
  const nameOf = (each: string): string =>
    list.current?.querySelector(`[data-item="${each}"] .item-main`)?.textContent ?? '';
  const onMove = (moved: string, to: number): void => {
    if (!ids.includes(moved) || ids[to] === moved) return;
    keepFocus();
    setAnnouncement(texts.collections.moved(nameOf(moved), formatNumber(to + 1), formatNumber(ids.length)));
    const order = moveItem(ids, moved, to);
    change({ order }, { item_ids: order });
  };
  const onRemove = (removed: string): void => {
    setAnnouncement(texts.collections.removed(nameOf(removed)));
    change({ remove_item_ids: [removed] }, { item_ids: ids.filter((each) => each !== removed) });
    // The button is gone; the keyboard continues at the list.
    list.current?.focus();
  };
  return (
    <div class="stack">
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      {ids.length === 0 ? (
        <Empty title={texts.collections.noItemsTitle} text={texts.collections.noItemsText}>
          <Link class="button" href="/library">
            {texts.notOffered.link}
          </Link>
        </Empty>
      ) : (
        mayChange && <p class="hint">{texts.collections.order}</p>
      )}
      <ul ref={list} tabIndex={-1} class="items items-grid" hidden={ids.length === 0}>
        {ids.map((each, index) => (
          <CollectedCard
            key={each}
            id={each}
            index={index}
            total={ids.length}
            isCover={each === cover_id}
            mayChange={mayChange}
            onMove={onMove}
            onCover={() => change({ cover_id: each }, { cover_id: each })}
            onRemove={() => onRemove(each)}
          />
        ))}
      </ul>
    </div>
  );
};

/** One collection, from the list of all, which has no second form in the API. */
export const CollectionDetail = ({ id }: { readonly id: string }) => {
  const query = useQuery(collections);
  const { data } = query;
  const collection = data?.find((each) => each.id === id);
  return (
    <>
      <BackLink href={COLLECTIONS_PATH}>{texts.collections.back}</BackLink>
      <PageTitle
        title={collection?.name ?? texts.collections.one}
        {...(collection !== undefined && {
          description: texts.collections.items(formatNumber(collection.item_ids.length)),
        })}
      >
        {collection !== undefined && <Actions collection={collection} />}
      </PageTitle>
      <LoadState {...query} />
      {data !== undefined && collection === undefined && (
        <Empty title={texts.library.notFoundTitle} text={texts.task.notFoundText} />
      )}
      {collection !== undefined && <Items collection={collection} />}
    </>
  );
};
