import { ImagePlus } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import { IMAGE_TYPES } from '../../functions/platform/domain/models.ts';
import { further } from '../shell/further.ts';
import { texts } from '../texts/first.ts';
import type { CheckedFiles } from './check-file.ts';
import { ImagePreview } from './image-preview.tsx';

type Props = {
  readonly label: string;
  readonly most: number;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
};

const check = async (files: readonly File[]): Promise<CheckedFiles> => {
  try {
    const { checkFiles } = await further();
    return await checkFiles(files);
  } catch {
    return { accepted: [], problems: [texts.errors.pageNotLoaded] };
  }
};

/** The browser's own file field, stretched over the zone: it takes clicks, keys and dropped files by itself. */
export const DropZone = ({ label, most, files, onChange }: Props) => {
  const id = useId();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isOver, setIsOver] = useState(false);
  const add = async (field: HTMLInputElement): Promise<void> => {
    const checked = await check([...(field.files ?? [])]);
    // Choosing the same file again must be a change too.
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
