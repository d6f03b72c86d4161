import { useRef } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import type { PickerProps } from '../parts/drop-zone.tsx';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { LoadMore } from '../parts/lists.tsx';
import { ScopeSwitch } from '../parts/scope.tsx';
import { texts } from '../texts/texts.ts';
import type { LibraryItem } from './items.ts';
import { NO_FILTERS, useOwnFilters } from './library-filters.tsx';
import { hasContent, itemTitle, Poster } from './poster.tsx';
import { useLibrary } from './use-library.ts';

const PickerChoice = ({ item, onChoose }: { readonly item: LibraryItem; readonly onChoose: () => void }) => {
  const card = useRef<HTMLLIElement>(null);
  const seed = item.kind === 'video' ? (item.video.request?.seed ?? undefined) : undefined;
  return (
    <li ref={card}>
      <button type="button" class="example box" onClick={onChoose}>
        <Poster item={item} card={card} isPlaying={false} />
        <span class="gallery-prompt" dir="auto">
          {itemTitle(item)}
        </span>
        {/* Variations have the same prompt. */}
        {seed !== undefined && <span class="quiet small">{texts.video.seed(seed)}</span>}
      </button>
    </li>
  );
};

const FILTERS = { ...NO_FILTERS, status: 'completed' };

const PickerList = ({ onChoose }: Pick<PickerProps, 'onChoose'>) => {
  const library = useLibrary(useOwnFilters(FILTERS));
  const usable = library.items?.filter(hasContent);
  return (
    <div class="stack">
      <div class="row spread">
        <p class="hint">{texts.picker.hint}</p>
        <ScopeSwitch />
      </div>
      <LoadState {...library} data={usable} />
      {usable?.length === 0 && <Empty title={texts.library.emptyTitle} text={texts.library.emptyText} />}
      <ul class="gallery">
        {usable?.map((item) => (
          <PickerChoice key={item.id} item={item} onChoose={() => onChoose(item)} />
        ))}
      </ul>
      <LoadMore {...library} />
    </div>
  );
};

/** Adds an item of the library to the form, as dragging it there does. */
export const ItemPicker = ({ onChoose, ...dialog }: PickerProps) => (
  <Dialog title={texts.picker.title} {...dialog} wide>
    <PickerList onChoose={onChoose} />
  </Dialog>
);
