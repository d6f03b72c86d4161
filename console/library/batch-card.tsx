import { useRef } from 'preact/hooks';
import { formatAge, formatNumber } from '../parts/format.ts';
import { isSameBatch } from '../playground/batches.ts';
import { texts } from '../texts/texts.ts';
import type { LibraryItem } from './items.ts';
import { itemTitle, Poster } from './poster.tsx';
import { Check } from './selection.tsx';

export type Batch = readonly [LibraryItem, ...LibraryItem[]];

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

type Props = {
  readonly batch: Batch;
  readonly now: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

/** The variations of one request as one card. It opens their own cards, which follow it. */
export const BatchCard = ({ batch, now, isOpen, onToggle }: Props) => {
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
