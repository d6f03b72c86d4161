import { ImagePlus } from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IMAGE_TYPES } from '../../functions/catalogue/domain/models.ts';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';
import { useMutation } from '../api/hooks.ts';
import { checkFiles, shrinkImage } from '../api/image-files.ts';
import { orNotify } from '../session/notices.ts';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { SmallButton } from './buttons.tsx';
import { type DraggedItem, useItemDrop } from './dragged-item.ts';
import { ImagePreview } from './image-preview.tsx';
import { addZone, type FrameOptions, type Zone } from './input-images.ts';
import { loadItemImage } from './item-image.ts';

type ShrinkProps = {
  readonly files: readonly File[];
  /** How many bytes the result may have. */
  readonly room: number;
  readonly onShrunk: (original: File, shrunk: File | undefined) => void;
};

const ShrinkButtons = ({ files, room, onShrunk }: ShrinkProps) => {
  const { mutate, isPending } = useMutation((file: File) =>
    orNotify(async () => onShrunk(file, await shrinkImage(file, room))),
  );
  return (
    <div class="row">
      {files.map((file) => (
        <SmallButton key={file.name} disabled={isPending} onClick={() => void mutate(file)}>
          {isPending ? texts.form.shrinking : texts.form.shrink(file.name)}
        </SmallButton>
      ))}
    </div>
  );
};

export type PickerProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChoose: (item: DraggedItem) => void;
};

type Props = {
  readonly label: string;
  readonly most: number;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  /** `ItemPicker`, which belongs to the library. */
  readonly Picker: ComponentType<PickerProps>;
  /** The shape to which the images can be cropped. */
  readonly frame?: FrameOptions;
};

/** Receives images that are pasted or dropped anywhere, for as long as the zone is shown. */
const useIncomingImages = (zone: Zone): void => {
  const latest = useRef(zone);
  latest.current = zone;
  // Not after the next frame: what is dropped as soon as the zone is visible must arrive.
  useLayoutEffect(() => addZone(latest), []);
};

type Outcome = {
  readonly problems: readonly string[];
  readonly tooLarge: readonly File[];
  readonly note?: string;
};

const NOTHING_WRONG: Outcome = { problems: [], tooLarge: [] };

/** A native file field covers the zone and handles clicks, keys and dropped files. */
export const DropZone = ({ label, most, files, onChange, Picker, frame }: Props) => {
  const id = useId();
  const { image_bytes } = useCurrentSession();
  const [{ problems, tooLarge, note }, setOutcome] = useState(NOTHING_WRONG);
  const [isOver, setIsOver] = useState(false);
  const [isPicking, setIsPicking] = useState(false);
  const room = files.reduce((left, { size }) => left - size, image_bytes);
  const places = most - files.length;
  const add = (images: readonly File[]): Promise<void> =>
    orNotify(async () => {
      const checked = await checkFiles(images, room);
      const refused = checked.accepted.slice(places).map(({ name }) => texts.form.tooManyImages(name, most));
      setOutcome({ ...checked, problems: [...checked.problems, ...refused] });
      if (places > 0 && checked.accepted.length > 0)
        onChange([...files, ...checked.accepted.slice(0, places)]);
    });
  const addChosen = async (field: HTMLInputElement): Promise<void> => {
    setIsOver(false);
    await add([...(field.files ?? [])]);
    // Choosing the same file again must trigger a change event.
    field.value = '';
  };
  const addShrunk = (original: File, shrunk: File | undefined): void => {
    if (shrunk === undefined) {
      setOutcome({ problems: [texts.form.notShrunk(original.name)], tooLarge: [] });
      return;
    }
    const [before = '', after = ''] = [original.size, shrunk.size].map(formatMegabytes);
    const note = texts.form.shrunk(original.name, before, after);
    setOutcome({ ...NOTHING_WRONG, tooLarge: tooLarge.filter((file) => file !== original), note });
    onChange([...files, shrunk].slice(0, most));
  };
  /** A frame takes the place of the one that is there. */
  const addItem = (item: DraggedItem): Promise<void> => {
    setIsOver(false);
    setIsPicking(false);
    return orNotify(async () => {
      const file = await loadItemImage(item);
      if (most === 1) onChange([file]);
      else await add([file]);
    });
  };
  const { handlers } = useItemDrop((item) => void addItem(item));
  useIncomingImages({ room: places, add });
  const isFull = files.length >= most;
  return (
    <div class="field" {...handlers}>
      <label class="label" for={id}>
        {label}
      </label>
      <div class="drop-row">
        {files.map((file, index) => (
          <ImagePreview
            key={`${file.name}-${file.size}-${index}`}
            file={file}
            frame={frame}
            onRemove={() => onChange(files.toSpliced(index, 1))}
            onReplace={(changed) => onChange(files.with(index, changed))}
          />
        ))}
        {!isFull && (
          <div class={`drop ${isOver ? 'drop-over' : ''}`}>
            <ImagePlus size={20} aria-hidden />
            <span>{files.length === 0 ? texts.form.drop : texts.form.dropMore}</span>
            <input
              id={id}
              type="file"
              accept={IMAGE_TYPES.join(',')}
              multiple={most > 1}
              aria-describedby={`${id}-below`}
              onChange={({ currentTarget }) => addChosen(currentTarget)}
              onDragEnter={() => setIsOver(true)}
              onDragLeave={() => setIsOver(false)}
            />
          </div>
        )}
      </div>
      {isFull && most > 1 && <p class="hint">{texts.form.full(most)}</p>}
      <div class="row spread">
        <div id={`${id}-below`} class="stack stack-tight" aria-live="polite">
          {problems.map((problem) => (
            <p key={problem} class="wrong">
              {problem}
            </p>
          ))}
          {tooLarge.length > 0 && <ShrinkButtons files={tooLarge} room={room} onShrunk={addShrunk} />}
          {problems.length === 0 && (
            <p class="hint">{note ?? texts.form.imageTypes(formatMegabytes(image_bytes))}</p>
          )}
        </div>
        {(most === 1 || !isFull) && (
          <SmallButton aria-label={texts.picker.openFor(label)} onClick={() => setIsPicking(true)}>
            {texts.picker.open}
          </SmallButton>
        )}
      </div>
      <Picker open={isPicking} onClose={() => setIsPicking(false)} onChoose={(item) => void addItem(item)} />
    </div>
  );
};
