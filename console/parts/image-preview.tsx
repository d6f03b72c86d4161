import { X } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { initialTexts as texts } from '../texts/initial-texts.ts';

export const useObjectUrl = (blob: Blob): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
};

type Props = { readonly file: File; readonly onRemove: () => void };

export const ImagePreview = ({ file, onRemove }: Props) => {
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
