import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { placeImages } from './input-images.ts';

const filesIn = (transfer: DataTransfer | null): readonly File[] => [...(transfer?.files ?? [])];

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') === true;

/** A file field handles what is dropped on it. */
const isFileField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';

type Props = {
  /** Called if the page shows no place for images; the next place that it shows receives them. */
  readonly onNoZone?: () => void;
};

/** Adds images that are pasted, or dropped anywhere on the page. */
export const DropAnywhere = ({ onNoZone = () => {} }: Props) => {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onNoZone);
  latest.current = onNoZone;
  useLayoutEffect(() => {
    const place = (event: Event, files: readonly File[]): void => {
      if (files.length === 0) return;
      event.preventDefault();
      if (!placeImages(files)) latest.current();
    };
    const over = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return;
      setIsOver(true);
      // Otherwise the browser would open the file.
      if (!isFileField(event.target)) event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      // Without a related element, the pointer has left the page.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      if (!isFileField(event.target)) place(event, filesIn(event.dataTransfer));
    };
    const paste = (event: ClipboardEvent): void => place(event, filesIn(event.clipboardData));
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
      document.removeEventListener('paste', paste);
    };
  }, []);
  return isOver ? (
    <div class="drop-anywhere" aria-hidden="true">
      {texts.form.dropAnywhere}
    </div>
  ) : null;
};
