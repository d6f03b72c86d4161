import { Image, X } from 'lucide-preact';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/errors.ts';
import { useQuery } from '../api/hooks.ts';
import { filePath } from '../api/images.ts';
import { createQuery } from '../api/query.ts';
import { getJson } from '../api/request.ts';
import { isUnfinished, videoPath } from '../api/videos.ts';
import { ArrowLeft, ArrowRight, Clock } from '../page-icons.mjs';
import { IconButton } from '../parts/buttons.tsx';
import { dragSource, useItemDrop } from '../parts/dragged-item.ts';
import { formatNumber } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';
import { isImageId, type LibraryItem, toImageItem, toVideoItem } from './items.ts';
import { itemTitle, Placeholder, Poster, useIsNear } from './poster.tsx';

const STALE_MS = 60_000;
const UNFINISHED_POLL_MS = 4000;

const loadItem = async (id: string, signal?: AbortSignal): Promise<LibraryItem> =>
  isImageId(id)
    ? toImageItem(await getJson<FileObject>(filePath(id), signal))
    : toVideoItem(await getJson<VideoObject>(videoPath(id), signal));

const items = createQuery<[id: string], LibraryItem | null>(
  async (signal, [id]) => (id === '' ? null : loadItem(id, signal)),
  {
    staleMs: STALE_MS,
    pollMs: (item) => (item?.kind === 'video' && isUnfinished(item.video) ? UNFINISHED_POLL_MS : undefined),
  },
);

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/**
 * One item of a collection, which has only ids, loaded once its card comes near; a place without an id has no item. It is
 * gone if it was deleted or has expired: a collection keeps the ids of such items.
 */
export const useCollectedItem = (id: string | null, card: RefObject<HTMLElement>) => {
  const isNear = useIsNear(card);
  const wasNear = useRef(false);
  wasNear.current ||= isNear;
  const { data, error } = useQuery(items, wasNear.current ? (id ?? '') : '');
  return isGone(error) ? { item: undefined, isGone: true } : { item: data ?? undefined, isGone: false };
};

const AT_ONCE = 8;

export const loadItems = async (ids: readonly string[]): Promise<readonly LibraryItem[]> => {
  const found: LibraryItem[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const result of await Promise.allSettled(ids.slice(at, at + AT_ONCE).map((id) => loadItem(id))))
      if (result.status === 'fulfilled') found.push(result.value);
      else if (!isGone(result.reason)) throw result.reason;
  return found;
};

export const moveItem = (ids: readonly string[], id: string, to: number): string[] =>
  ids.filter((each) => each !== id).toSpliced(to, 0, id);

type Props = {
  readonly id: string;
  readonly index: number;
  readonly total: number;
  readonly isCover: boolean;
  /** Whether the person may change the collection. */
  readonly mayChange: boolean;
  readonly onMove: (id: string, to: number) => void;
  readonly onCover: () => void;
  readonly onRemove: () => void;
};

const Controls = (props: Props & { readonly name: string }) => {
  const { id, index, total, isCover, name, onMove, onCover, onRemove } = props;
  const move = (step: number): void => {
    const to = index + step;
    if (to >= 0 && to < total) onMove(id, to);
  };
  const { hints, ...labels } = texts.collections;
  const buttons = [
    // A disabled button would lose the focus.
    ['earlier', ArrowLeft, () => move(-1), { 'aria-disabled': index === 0 }],
    ['later', ArrowRight, () => move(1), { 'aria-disabled': index === total - 1 }],
    ['cover', Image, onCover, { 'aria-pressed': isCover }],
    ['remove', X, onRemove, {}],
  ] as const;
  return (
    <div class="collected-controls">
      {buttons.map(([key, icon, onClick, state]) => (
        <IconButton
          key={key}
          icon={icon}
          title={hints[key]}
          aria-label={labels[key](name)}
          {...state}
          onClick={onClick}
        />
      ))}
    </div>
  );
};

/** One item of a collection, loaded when it comes into view. */
export const CollectedCard = (props: Props) => {
  const { id, index, total, isCover, mayChange, onMove } = props;
  const card = useRef<HTMLLIElement>(null);
  const { item, isGone } = useCollectedItem(id, card);
  const kind = isImageId(id) ? 'image' : 'video';
  const name = item === undefined ? texts.library.kinds[kind] : itemTitle(item);
  const { isOver, handlers } = useItemDrop((dropped) => onMove(dropped.id, index));
  return (
    <li
      ref={card}
      class={`item collected ${isOver ? 'collected-over' : ''}`}
      data-item={id}
      {...(mayChange && { ...dragSource({ kind, id }), ...handlers })}
    >
      {item === undefined ? (
        <span class="poster">{isGone && <Placeholder icon={Clock} label={texts.collections.gone} />}</span>
      ) : (
        <Poster item={item} card={card} isPlaying={false} />
      )}
      <div class="item-main">
        {isGone ? (
          <span class="quiet">{name}</span>
        ) : (
          <Link class="item-link" href={`/library/${id}`} dir="auto">
            {name}
          </Link>
        )}
      </div>
      <div class="row item-facts">
        <span class="quiet small number">
          {texts.collections.place(formatNumber(index + 1), formatNumber(total))}
        </span>
        {isCover && <span class="small item-age">{texts.collections.hints.cover}</span>}
      </div>
      {mayChange && <Controls {...props} name={name} />}
    </li>
  );
};
