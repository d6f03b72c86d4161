import { ImagePlus, X } from 'lucide-preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { IMAGE_TYPES } from '../../functions/platform/domain/models.ts';
import { checkFiles } from '../api/image-files.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { findCrop, type Size } from './crop.ts';
import { CropOverlay } from './crop-overlay.tsx';
import { addZone, type Zone } from './incoming-images.ts';
import { useObjectUrl } from './object-url.ts';

type PreviewProps = {
  readonly file: File;
  readonly cropRatio: string | undefined;
  readonly onRemove: () => void;
};

const ImagePreview = ({ file, cropRatio, onRemove }: PreviewProps) => {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<Size>();
  const crop = size === undefined || cropRatio === undefined ? undefined : findCrop(size, cropRatio);
  return (
    <figure class="preview">
      {url !== undefined && (
        <img
          src={url}
          alt={file.name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
        />
      )}
      {size !== undefined && crop !== undefined && (
        <>
          <CropOverlay size={size} crop={crop} />
          <figcaption class="crop-note">{texts.form.cropped(cropRatio ?? '')}</figcaption>
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

type Props = {
  readonly label: string;
  readonly most: number;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  /** The aspect ratio to which the images are cropped. */
  readonly cropRatio?: string;
};

/** Receives images that are pasted or dropped anywhere, for as long as the zone is shown. */
const useIncomingImages = (zone: Zone): void => {
  const latest = useRef(zone);
  latest.current = zone;
  useEffect(() => addZone(latest), []);
};

/** A native file field covers the zone and handles clicks, keys and dropped files. */
export const DropZone = ({ label, most, files, onChange, cropRatio }: Props) => {
  const id = useId();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isOver, setIsOver] = useState(false);
  const add = async (images: readonly File[]): Promise<void> => {
    const checked = await checkFiles(images);
    const room = most - files.length;
    const refused = checked.accepted.slice(room).map(({ name }) => texts.form.tooManyImages(name, most));
    setProblems([...checked.problems, ...refused]);
    if (room > 0 && checked.accepted.length > 0) onChange([...files, ...checked.accepted.slice(0, room)]);
  };
  const addChosen = async (field: HTMLInputElement): Promise<void> => {
    setIsOver(false);
    await add([...(field.files ?? [])]);
    // Choosing the same file again must trigger a change event.
    field.value = '';
  };
  useIncomingImages({ room: most - files.length, add });
  const isFull = files.length >= most;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <div class="drop-row">
        {files.map((file, index) => (
          <ImagePreview
            key={`${file.name}-${file.size}-${index}`}
            file={file}
            cropRatio={cropRatio}
            onRemove={() => onChange(files.toSpliced(index, 1))}
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
      <div id={`${id}-below`} aria-live="polite">
        {problems.map((problem) => (
          <p key={problem} class="wrong">
            {problem}
          </p>
        ))}
        {problems.length === 0 && <p class="hint">{texts.form.imageTypes}</p>}
      </div>
    </div>
  );
};
