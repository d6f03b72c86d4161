import { Image, X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ArrowLeft, ArrowRight, Clock } from '../page-icons.mjs';
import { dragSource, useItemDrop } from '../parts/dragged-item.ts';
import { formatNumber } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';
import { useCollectedItem } from './collected-items.ts';
import { isImageId } from './items.ts';
import { itemTitle, Placeholder, Poster } from './poster.tsx';

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
      {buttons.map(([key, Icon, onClick, state]) => (
        <button
          key={key}
          type="button"
          class="icon-button"
          title={hints[key]}
          aria-label={labels[key](name)}
          {...state}
          onClick={onClick}
        >
          <Icon size={16} aria-hidden />
        </button>
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
