import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useStore } from '../api/hooks.ts';
import { type DraggedItem, dragged, hasItem, readItem } from '../parts/dragged-item.ts';
import { notifyError } from '../shell/notices.tsx';
import { useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { FRAME_ROLES, type FrameRole, prepareItemAs } from './use-again.ts';

type TargetProps = { readonly role: FrameRole; readonly onDrop: (item: DraggedItem) => void };

const Target = ({ role, onDrop }: TargetProps) => {
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the actions of an item do the same by keyboard
    <div
      class={`drop ${isOver ? 'drop-over' : ''}`}
      onDragOver={(event) => {
        if (!hasItem(event.dataTransfer)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        const item = readItem(event.dataTransfer);
        if (item === undefined) return;
        event.preventDefault();
        onDrop(item);
      }}
    >
      {texts.library.dropAs[role]}
    </div>
  );
};

/** Appears while an item is dragged: the places of the video playground. The actions of an item do the same by keyboard. */
export const DropTray = () => {
  const [, navigate] = useLocation();
  const item = useStore(dragged, (each) => each);
  if (!useIsAllowed('create') || item === undefined) return null;
  const use = async (dropped: DraggedItem, role: FrameRole): Promise<void> => {
    dragged.set(undefined);
    try {
      await prepareItemAs(dropped, role);
      navigate('/playground/video');
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <div class="drop-tray" aria-hidden="true">
      {FRAME_ROLES.map((role) => (
        <Target key={role} role={role} onDrop={(dropped) => void use(dropped, role)} />
      ))}
    </div>
  );
};
