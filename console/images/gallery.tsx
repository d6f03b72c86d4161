import { Download, ImagePlus, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { createQuery } from '../api/query.ts';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { ShareButton } from '../library/share-dialog.tsx';
import { clearStored, readAllStored, removeStored, writeStored } from '../parts/database.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Empty, ErrorProblem } from '../parts/feedback.tsx';
import { saveFile, useObjectUrl } from '../parts/object-url.ts';
import { notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';

/** An image that this browser keeps. */
type GalleryImage = {
  readonly id: string;
  /** Its file; undefined if the service does not store images. */
  readonly fileId?: string | undefined;
  readonly blob: Blob;
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly createdAt: number;
};

const gallery = createQuery<[], readonly GalleryImage[]>(async () =>
  (await readAllStored<GalleryImage>('gallery')).toSorted((one, other) => other.createdAt - one.createdAt),
);

/** Returns false if the browser cannot store the image, which is then lost with the page. */
export const addToGallery = async (image: GalleryImage): Promise<boolean> => {
  try {
    await writeStored('gallery', image.id, image);
    await gallery.invalidate();
    return true;
  } catch {
    const entry = gallery.entry();
    entry.set([image, ...(entry.snapshot().data ?? [])]);
    return false;
  }
};

const removeFromGallery = async (id: string): Promise<void> => {
  await removeStored('gallery', id);
  await gallery.invalidate();
};

const clearGallery = async (): Promise<void> => {
  await clearStored('gallery');
  await gallery.invalidate();
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const fileName = ({ id, blob }: GalleryImage): string => `${id}.${EXTENSIONS[blob.type] ?? 'bin'}`;

type ItemProps = { readonly image: GalleryImage; readonly onUse: (image: GalleryImage) => void };

const GalleryItem = ({ image, onUse }: ItemProps) => {
  const url = useObjectUrl(image.blob);
  return (
    <li class="gallery-item">
      {url !== undefined && <img src={url} alt={image.prompt} loading="lazy" />}
      <div class="gallery-caption">
        <p class="small gallery-prompt" dir="auto">
          {image.prompt}
        </p>
        <div class="row spread">
          <span class="quiet small">
            {image.aspectRatio} · {image.imageSize}
          </span>
          <span class="row gallery-actions">
            <button
              type="button"
              class="icon-button"
              aria-label={texts.images.asInput}
              title={texts.images.asInput}
              onClick={() => onUse(image)}
            >
              <ImagePlus size={16} aria-hidden />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={texts.actions.download}
              title={texts.actions.download}
              onClick={() => saveFile(fileName(image), image.blob)}
            >
              <Download size={16} aria-hidden />
            </button>
            {image.fileId !== undefined && <ShareButton item={{ file_id: image.fileId }} isIcon />}
            <button
              type="button"
              class="icon-button"
              aria-label={texts.actions.delete}
              title={texts.actions.delete}
              onClick={() => removeFromGallery(image.id).catch(notifyError)}
            >
              <Trash2 size={16} aria-hidden />
            </button>
          </span>
        </div>
      </div>
    </li>
  );
};

/** Asks first, because the gallery cannot be restored. */
const ClearGallery = () => {
  const [open, setOpen] = useState(false);
  const clear = useMutation(clearGallery, () => setOpen(false));
  return (
    <>
      <button type="button" class="button button-small" onClick={() => setOpen(true)}>
        {texts.images.clear}
      </button>
      <Confirm
        open={open}
        title={texts.images.clearTitle}
        text={texts.images.clearText}
        action={texts.images.clear}
        onConfirm={() => clear.mutate()}
        onClose={() => setOpen(false)}
        isPending={clear.isPending}
        error={clear.error}
      />
    </>
  );
};

type Props = {
  readonly isGenerating: boolean;
  readonly onExample: (prompt: string) => void;
  readonly onUse: (image: File) => void;
};

export const Gallery = ({ isGenerating, onExample, onUse }: Props) => {
  const { data: images = [], error } = useQuery(gallery);
  return (
    <div class="stack">
      <div class="row spread">
        <p class="hint">{texts.images.galleryNote}</p>
        {images.length > 0 && <ClearGallery />}
      </div>
      {error !== null && <ErrorProblem error={error} />}
      {images.length === 0 && !isGenerating && (
        <Empty title={texts.images.galleryEmptyTitle} text={texts.images.galleryEmptyText}>
          <button type="button" class="button" onClick={() => onExample(texts.images.example)}>
            {texts.images.useExample}
          </button>
        </Empty>
      )}
      <ul class="gallery">
        {isGenerating && (
          <li class="screen working">
            <p role="status">{texts.images.generating}</p>
            <div class="progress-bar" aria-hidden="true" />
            <p class="quiet small">{texts.images.duration}</p>
          </li>
        )}
        {images.map((image) => (
          <GalleryItem
            key={image.id}
            image={image}
            onUse={({ blob }) => onUse(new File([blob], fileName(image), { type: blob.type }))}
          />
        ))}
      </ul>
    </div>
  );
};
