import { ImagePlus, X } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import { formatMegabytes, IMAGE_TYPES } from '../../functions/platform/domain/models.ts';
import { checkFiles } from '../api/image-files.ts';
import { shrinkImage } from '../api/shrink-image.ts';
import { useCurrentSession } from '../shell/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { useObjectUrl } from './object-url.ts';

type PreviewProps = { readonly file: File; readonly onRemove: () => void };

const ImagePreview = ({ file, onRemove }: PreviewProps) => {
  const url = useObjectUrl(file);
  return (
    <figure class="preview">
      {url !== undefined && <img src={url} alt={file.name} />}
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
    const shrunk = await shrinkImage(file, room);
    setIsPending(false);
    onShrunk(file, shrunk);
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
};

type Outcome = {
  readonly problems: readonly string[];
  readonly tooLarge: readonly File[];
  readonly note?: string;
};

const NOTHING_WRONG: Outcome = { problems: [], tooLarge: [] };

/** A native file field covers the zone and handles clicks, keys and dropped files. */
export const DropZone = ({ label, most, files, onChange }: Props) => {
  const id = useId();
  const { image_bytes } = useCurrentSession();
  const [{ problems, tooLarge, note }, setOutcome] = useState(NOTHING_WRONG);
  const [isOver, setIsOver] = useState(false);
  /** A single image replaces the one before. */
  const kept = most === 1 ? [] : files;
  const room = kept.reduce((left, { size }) => left - size, image_bytes);
  const add = async (field: HTMLInputElement): Promise<void> => {
    const checked = await checkFiles([...(field.files ?? [])], room);
    // Choosing the same file again must trigger a change event.
    field.value = '';
    setIsOver(false);
    setOutcome(checked);
    if (checked.accepted.length > 0) onChange([...kept, ...checked.accepted].slice(0, most));
  };
  const addShrunk = (original: File, shrunk: File | undefined): void => {
    if (shrunk === undefined) {
      setOutcome({ problems: [texts.form.notShrunk(original.name)], tooLarge: [] });
      return;
    }
    const sizes = [original.size, shrunk.size].map(formatMegabytes);
    const note = texts.form.shrunk(original.name, sizes[0] ?? '', sizes[1] ?? '');
    setOutcome({ ...NOTHING_WRONG, tooLarge: tooLarge.filter((file) => file !== original), note });
    onChange([...kept, shrunk].slice(0, most));
  };
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
              onChange={({ currentTarget }) => add(currentTarget)}
              onDragEnter={() => setIsOver(true)}
              onDragLeave={() => setIsOver(false)}
            />
          </div>
        )}
      </div>
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
