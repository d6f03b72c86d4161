import { useState } from 'preact/hooks';
import { createStore } from '../api/query.ts';

/** A video or an image of the service that is dragged, also from another window of the console. */
export type DraggedItem = { readonly kind: 'video' | 'image'; readonly id: string };

const TYPE = 'application/x-console-item';

/** While the drag of an item of this page goes on. */
export const dragged = createStore<DraggedItem | undefined>(undefined);

/** For an element that can be dragged into a form. */
export const dragSource = (item: DraggedItem) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent): void => {
    dataTransfer?.setData(TYPE, JSON.stringify(item));
    // The element must not change while the drag begins, or the browser ends it.
    setTimeout(dragged.set, 0, item);
  },
  onDragEnd: (): void => dragged.set(undefined),
});

export const hasItem = (transfer: DataTransfer | null): boolean => transfer?.types.includes(TYPE) === true;

/** For an element onto which an item can be dropped, and whether one is over it. */
export const useItemDrop = (onItem: (item: DraggedItem) => void) => {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent): void => {
        if (!hasItem(event.dataTransfer)) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: (): void => setIsOver(false),
      onDrop: (event: DragEvent): void => {
        setIsOver(false);
        const item = readItem(event.dataTransfer);
        if (item === undefined) return;
        event.preventDefault();
        onItem(item);
      },
    },
  };
};

const ID = /^(?:task|file)_[0-9a-z]{26}$/;

/** Undefined for anything that no page of the console has written. */
export const readItem = (transfer: DataTransfer | null): DraggedItem | undefined => {
  try {
    const { kind, id } = Object(JSON.parse(transfer?.getData(TYPE) ?? ''));
    return (kind === 'video' || kind === 'image') && typeof id === 'string' && ID.test(id)
      ? { kind, id }
      : undefined;
  } catch {
    return undefined;
  }
};
