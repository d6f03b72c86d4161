import { fileUrl } from '../api/output-files.ts';
import { useObjectUrl } from '../parts/object-url.ts';
import { findPicture, type GalleryImage } from './gallery-images.ts';

const LocalPicture = ({ blob, prompt }: { readonly blob: Blob; readonly prompt: string }) => {
  const url = useObjectUrl(blob);
  return url === undefined ? null : <img src={url} alt={prompt} />;
};

export const GalleryPicture = ({ image: { from, prompt } }: { readonly image: GalleryImage }) => {
  const blob = 'blob' in from ? from.blob : findPicture(from.file.id);
  if (blob !== undefined) return <LocalPicture blob={blob} prompt={prompt} />;
  return 'file' in from ? <img src={fileUrl(from.file.id)} alt={prompt} loading="lazy" /> : null;
};
