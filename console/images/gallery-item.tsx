import { Download, ImagePlus, Trash2 } from 'lucide-preact';
import { useObjectUrl } from '../parts/image-preview.tsx';
import { saveFile } from '../parts/save-file.ts';
import { notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { type GalleryImage, removeFromGallery } from './gallery.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

export const fileNameOf = ({ id, blob }: GalleryImage): string => `${id}.${EXTENSIONS[blob.type] ?? 'bin'}`;

type Props = { readonly image: GalleryImage; readonly onUse: (image: GalleryImage) => void };

export const GalleryItem = ({ image, onUse }: Props) => {
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
              onClick={() => saveFile(fileNameOf(image), image.blob)}
            >
              <Download size={16} aria-hidden />
            </button>
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
