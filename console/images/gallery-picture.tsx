import { fileContentUrl, previewUrl } from '../api/images.ts';
import { useObjectUrl } from '../parts/object-url.ts';
import { findPicture, type GalleryImage } from './gallery-images.ts';

const LocalPicture = ({ blob, prompt }: { readonly blob: Blob; readonly prompt: string }) => {
  const url = useObjectUrl(blob);
  return url === undefined ? null : <img src={url} alt={prompt} />;
};

type Props = { readonly image: GalleryImage; readonly isLarge?: boolean };

/** In the gallery a small preview is enough: the images themselves have several megabytes. */
export const GalleryPicture = ({ image: { from, prompt }, isLarge = false }: Props) => {
  const blob = 'blob' in from ? from.blob : findPicture(from.file.id);
  if (blob !== undefined) return <LocalPicture blob={blob} prompt={prompt} />;
  if (!('file' in from)) return null;
  const { id } = from.file;
  return <img src={isLarge ? fileContentUrl(id) : previewUrl(id)} alt={prompt} loading="lazy" />;
};
