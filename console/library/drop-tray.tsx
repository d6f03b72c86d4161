import { useLocation } from 'wouter-preact';
import { useStore } from '../api/hooks.ts';
import { type DraggedItem, dragged, useItemDrop } from '../parts/dragged-item.ts';
import { orNotify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { FRAME_ROLES, type FrameRole, prepareItemAs } from './use-again.ts';

type TargetProps = { readonly role: FrameRole; readonly onDrop: (item: DraggedItem) => void };

const Target = ({ role, onDrop }: TargetProps) => {
  const { isOver, handlers } = useItemDrop(onDrop);
  return (
    <div class={`drop ${isOver ? 'drop-over' : ''}`} {...handlers}>
      {texts.library.dropAs[role]}
    </div>
  );
};

/** Appears while an item is dragged: the places of the video playground. The actions of an item do the same by keyboard. */
export const DropTray = () => {
  const [, navigate] = useLocation();
  const item = useStore(dragged, (each) => each);
  if (!useIsAllowed('create') || item === undefined) return null;
  const use = (dropped: DraggedItem, role: FrameRole): Promise<void> => {
    dragged.set(undefined);
    return orNotify(async () => {
      await prepareItemAs(dropped, role);
      navigate('/playground/video');
    });
  };
  return (
    <div class="drop-tray" aria-hidden="true">
      {FRAME_ROLES.map((role) => (
        <Target key={role} role={role} onDrop={(dropped) => void use(dropped, role)} />
      ))}
    </div>
  );
};
