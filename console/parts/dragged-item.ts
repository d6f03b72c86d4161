/** A video or an image of the service that is dragged, also from another window of the console. */
export type DraggedItem = { readonly kind: 'video' | 'image'; readonly id: string };

const TYPE = 'application/x-console-item';

const listeners = new Set<(item: DraggedItem | undefined) => void>();

const tell = (item: DraggedItem | undefined): void => {
  for (const listener of listeners) listener(item);
};

/** For an element that can be dragged into a form. */
export const dragSource = (item: DraggedItem) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent): void => {
    dataTransfer?.setData(TYPE, JSON.stringify(item));
    // The element must not change while the drag begins, or the browser ends it.
    setTimeout(tell, 0, item);
  },
  onDragEnd: (): void => tell(undefined),
});

/** Tells when the drag of an item of this page begins and ends. */
export const onDrag = (listener: (item: DraggedItem | undefined) => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const hasItem = (transfer: DataTransfer | null): boolean => transfer?.types.includes(TYPE) === true;

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
