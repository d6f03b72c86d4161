import { ImagePlus, X } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import { IMAGE_TYPES } from '../../functions/platform/domain/models.ts';
import { checkFiles } from '../api/image-files.ts';
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

type Props = {
  readonly label: string;
  readonly most: number;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
};

/** A native file field covers the zone and handles clicks, keys and dropped files. */
export const DropZone = ({ label, most, files, onChange }: Props) => {
  const id = useId();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isOver, setIsOver] = useState(false);
  const add = async (field: HTMLInputElement): Promise<void> => {
    const checked = await checkFiles([...(field.files ?? [])]);
    // Choosing the same file again must trigger a change event.
    field.value = '';
    setIsOver(false);
    setProblems(checked.problems);
    if (checked.accepted.length > 0)
      onChange(most === 1 ? checked.accepted.slice(0, 1) : [...files, ...checked.accepted].slice(0, most));
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
