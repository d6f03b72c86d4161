import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { isSameBatch } from '../api/batches.ts';
import { dragSource } from '../parts/dragged-item.ts';
import { formatAge, formatNumber, formatSize } from '../parts/format.ts';
import { Age } from '../parts/lists.tsx';
import { formatCharge, StatusBadge } from '../parts/video-stage.tsx';
import { texts } from '../texts/texts.ts';
import type { LibraryItem } from './items.ts';
import { KeepButton } from './keep-button.tsx';
import { FROM_LIBRARY } from './library-position.ts';
import { hasContent, isPlayable, itemTitle, Poster } from './poster.tsx';
import { Check } from './selection.tsx';

type Batch = readonly [LibraryItem, ...LibraryItem[]];

/** The items, with the variations of one request together. */
export const groupBatches = (items: readonly LibraryItem[]): readonly Batch[] => {
  const batches: [LibraryItem, ...LibraryItem[]][] = [];
  for (const item of items) {
    const last = batches.at(-1);
    const [first] = last ?? [];
    if (first?.kind === 'video' && item.kind === 'video' && isSameBatch(first.video, item.video))
      last?.push(item);
    else batches.push([item]);
  }
  return batches;
};

/** Its oldest item, because newer variations may appear. */
export const batchName = (batch: Batch): string => batch.at(-1)?.id ?? '';

const MAX_POSTERS = 4;

type BatchProps = {
  readonly batch: Batch;
  readonly now: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** The variations of one request as one card. It opens their own cards, which follow it. */
export const BatchCard = ({ batch, now, isOpen, onToggle }: BatchProps) => {
  const card = useRef<HTMLLIElement>(null);
  const [first] = batch;
  return (
    <li ref={card} class="item item-batch" data-item={first.id}>
      <span class="batch-posters">
        {batch.slice(0, MAX_POSTERS).map((item) => (
          <Poster key={item.id} item={item} card={card} isPlaying={false} />
        ))}
      </span>
      <div class="item-main">
        <button type="button" class="item-link" aria-expanded={isOpen} dir="auto" onClick={onToggle}>
          {itemTitle(first)}
        </button>
      </div>
      <div class="row item-facts">
        <span class="small number">{texts.batch.title(formatNumber(batch.length))}</span>
        <span class="quiet small item-age">{formatAge(first.createdAt, now)}</span>
      </div>
      <Check items={batch} />
    </li>
  );
};

/** When the item ends, on every card that has something to lose. */
const endText = ({ isKept, expires_at: end }: LibraryItem, now: number): string | undefined => {
  if (isKept) return texts.library.kept;
  return end === null || end * 1000 <= now ? undefined : texts.library.ends(formatAge(end, now));
};

const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Plays on hover and focus, unless the person prefers less motion, and on tap on a touch screen. */
const usePlaying = (item: LibraryItem) => {
  const [isPlaying, setIsPlaying] = useState(false);
  const pointer = useRef('');
  const stop = (): void => setIsPlaying(false);
  const start = (): void => {
    if (isPlayable(item) && !prefersStillness()) setIsPlaying(true);
  };
  return {
    isPlaying,
    /** The first tap on the poster plays, the second opens. */
    onTap: (event: MouseEvent, poster: Element | null | undefined): void => {
      if (pointer.current !== 'touch' || isPlaying || !isPlayable(item)) return;
      const box = poster?.getBoundingClientRect();
      if (box === undefined || event.clientY > box.bottom) return;
      event.preventDefault();
      setIsPlaying(true);
    },
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && start(),
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && stop(),
      onPointerDown: ({ pointerType }: PointerEvent) => {
        pointer.current = pointerType;
      },
      // A tap also sets the focus, but must not play before it is handled.
      onFocusIn: () => pointer.current !== 'touch' && start(),
      onFocusOut: stop,
    },
  };
};

type Props = {
  readonly item: LibraryItem;
  readonly now: number;
  readonly personName: (id: string) => string;
};

/** A card of the grid, or a row of the list: the style sheet arranges the same parts. */
export const LibraryCard = ({ item, now, personName }: Props) => {
  const card = useRef<HTMLLIElement>(null);
  const { isPlaying, onTap, handlers } = usePlaying(item);
  const { model, size, personId } = item;
  const charge = formatCharge(item);
  const end = endText(item, now);
  return (
    <li
      ref={card}
      class="item"
      data-item={item.id}
      {...handlers}
      {...(hasContent(item) ? dragSource(item) : {})}
    >
      <Poster item={item} card={card} isPlaying={isPlaying} />
      <div class="item-main">
        <Link
          class="item-link"
          href={`/library/${item.id}`}
          state={FROM_LIBRARY}
          dir="auto"
          onClick={(event: MouseEvent) => onTap(event, card.current?.querySelector('.poster'))}
        >
          {itemTitle(item)}
        </Link>
        <span class="quiet small ellipsis item-model">
          {personId === undefined ? model : texts.library.modelAndPerson(model, personName(personId))}
        </span>
      </div>
      <div class="row item-facts">
        {item.kind === 'video' ? (
          <StatusBadge status={item.video.status} error={item.video.error} />
        ) : (
          <span class="quiet small">{texts.library.kinds.image}</span>
        )}
        <span class="quiet small number item-size">{formatSize(size)}</span>
        {charge !== undefined && <span class="number small item-cost">{charge}</span>}
        <Age at={item.createdAt} now={now} style="quiet small item-age" />
        {end !== undefined && <span class="quiet small item-end">{end}</span>}
      </div>
      <Check items={[item]} />
      {end !== undefined && <KeepButton id={item.id} isKept={item.isKept} name={itemTitle(item)} isSmall />}
    </li>
  );
};
