import { ImagePlus, X } from 'lucide-preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IMAGE_TYPES } from '../../functions/catalogue/domain/models.ts';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';
import { checkFiles, shrinkImage } from '../api/image-files.ts';
import { loadDragged } from '../library/use-again.ts';
import { notifyError } from '../shell/notices.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { CropTools, type CropToolsProps } from './crop-tools.tsx';
import { type DraggedItem, hasItem, readItem } from './dragged-item.ts';
import { addZone, type Crop, findCrop, type Size, type Zone } from './input-images.ts';
import { useObjectUrl } from './object-url.ts';

/** Dims the parts that are cut off. */
export const CropOverlay = ({ size, crop }: { readonly size: Size; readonly crop: Crop }) => (
  <svg class="crop" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
    <path
      class="crop-lost"
      d={`M0 0H${size.width}V${size.height}H0Z M${crop.x} ${crop.y}v${crop.height}h${crop.width}v${-crop.height}Z`}
    />
    <rect class="crop-kept" x={crop.x} y={crop.y} width={crop.width} height={crop.height} />
  </svg>
);

export type FrameOptions = Pick<CropToolsProps, 'ratio' | 'ratios' | 'onRatio'>;

type PreviewProps = {
  readonly file: File;
  readonly frame: FrameOptions | undefined;
  readonly onRemove: () => void;
  readonly onReplace: (file: File) => void;
};

const CENTER = 0.5;

const ImagePreview = ({ file, frame, onRemove, onReplace }: PreviewProps) => {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<Size>();
  const [position, setPosition] = useState(CENTER);
  const crop = size === undefined || frame === undefined ? undefined : findCrop(size, frame.ratio, position);
  return (
    <>
      <ImageFigure
        file={file}
        url={url}
        size={size}
        crop={crop}
        frame={frame}
        onSize={setSize}
        onRemove={onRemove}
      />
      {size !== undefined && crop !== undefined && frame !== undefined && (
        <CropTools
          {...frame}
          file={file}
          size={size}
          crop={crop}
          position={position}
          onPosition={setPosition}
          onCropped={onReplace}
        />
      )}
    </>
  );
};

type FigureProps = Omit<PreviewProps, 'onReplace'> & {
  readonly url: string | undefined;
  readonly size: Size | undefined;
  readonly crop: Crop | undefined;
  readonly onSize: (size: Size) => void;
};

const ImageFigure = ({ file, url, size, crop, frame, onSize, onRemove }: FigureProps) => {
  return (
    <figure class="preview">
      {url !== undefined && (
        <img
          src={url}
          alt={file.name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onSize({ width: naturalWidth, height: naturalHeight })
          }
        />
      )}
      {size !== undefined && crop !== undefined && (
        <>
          <CropOverlay size={size} crop={crop} />
          <figcaption class="crop-note">{texts.form.cropped(frame?.ratio ?? '')}</figcaption>
        </>
      )}
      <button
        type="button"
        class="icon-button preview-remove"
        aria-label={texts.actions.remove(file.name)}
        onClick={onRemove}
      >
        <X size={16} aria-hidden />
      </button>
    </figure>
  );
};

type ShrinkProps = {
  readonly files: readonly File[];
  /** How many bytes the result may have. */
  readonly room: number;
  readonly onShrunk: (original: File, shrunk: File | undefined) => void;
};

/** Offers a smaller copy of each image that is too large. */
const ShrinkButtons = ({ files, room, onShrunk }: ShrinkProps) => {
  const [isPending, setIsPending] = useState(false);
  const shrink = async (file: File): Promise<void> => {
    setIsPending(true);
    try {
      onShrunk(file, await shrinkImage(file, room));
    } catch (error) {
      notifyError(error);
    }
    setIsPending(false);
  };
  return (
    <div class="row">
      {files.map((file) => (
        <button
          key={file.name}
          type="button"
          class="button button-small"
          disabled={isPending}
          onClick={() => shrink(file)}
        >
          {isPending ? texts.form.shrinking : texts.form.shrink(file.name)}
        </button>
      ))}
    </div>
  );
};

type Props = {
  readonly label: string;
  readonly most: number;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  /** For a frame of a video, to whose shape it is cropped. */
  readonly frame?: FrameOptions;
  /** Which frame of a video that is dropped here is used. */
  readonly takes: 'start' | 'end';
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
export const DropZone = ({ label, most, files, onChange, frame, takes }: Props) => {
  const id = useId();
  const { image_bytes } = useCurrentSession();
  const [{ problems, tooLarge, note }, setOutcome] = useState(NOTHING_WRONG);
  const [isOver, setIsOver] = useState(false);
  const room = files.reduce((left, { size }) => left - size, image_bytes);
  const places = most - files.length;
  const add = async (images: readonly File[]): Promise<void> => {
    try {
      const checked = await checkFiles(images, room);
      const refused = checked.accepted.slice(places).map(({ name }) => texts.form.tooManyImages(name, most));
      setOutcome({ ...checked, problems: [...checked.problems, ...refused] });
      if (places > 0 && checked.accepted.length > 0)
        onChange([...files, ...checked.accepted.slice(0, places)]);
    } catch (error) {
      notifyError(error);
    }
  };
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
  const addItem = async (item: DraggedItem): Promise<void> => {
    setIsOver(false);
    try {
      const file = await loadDragged(item, takes);
      if (most === 1) onChange([file]);
      else await add([file]);
    } catch (error) {
      notifyError(error);
    }
  };
  useIncomingImages({ room: places, add });
  const isFull = files.length >= most;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the library has the same action for the keyboard
    <div
      class="field"
      onDragOver={(event) => {
        if (hasItem(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        const item = readItem(event.dataTransfer);
        if (item === undefined) return;
        event.preventDefault();
        void addItem(item);
      }}
    >
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
    </div>
  );
};
