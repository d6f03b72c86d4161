import type { ComponentChildren } from 'preact';
import { useWindowEvent } from '../api/hooks.ts';
import { fileContentUrl, previewUrl } from '../api/images.ts';
import { ArrowLeft, ArrowRight } from '../page-icons.mjs';
import { SmallButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useObjectUrl } from '../parts/object-url.ts';
import { texts } from '../texts/texts.ts';
import { findPicture, type GalleryImage } from './gallery-images.ts';

const LocalPicture = ({ blob, prompt }: { readonly blob: Blob; readonly prompt: string }) => {
  const url = useObjectUrl(blob);
  return url === undefined ? null : <img src={url} alt={prompt} />;
};

type PictureProps = { readonly image: GalleryImage; readonly isLarge?: boolean };

/** In the gallery a small preview is enough: the images themselves have several megabytes. */
export const GalleryPicture = ({ image: { from, prompt }, isLarge = false }: PictureProps) => {
  const blob = 'blob' in from ? from.blob : findPicture(from.file.id);
  if (blob !== undefined) return <LocalPicture blob={blob} prompt={prompt} />;
  if (!('file' in from)) return null;
  const { id } = from.file;
  return <img src={isLarge ? fileContentUrl(id) : previewUrl(id)} alt={prompt} loading="lazy" />;
};

type Props = {
  readonly images: readonly GalleryImage[];
  /** The enlarged image; the viewer is closed if the gallery does not have it. */
  readonly shownId: string | undefined;
  readonly onShow: (id: string | undefined) => void;
  readonly actions: (image: GalleryImage) => ComponentChildren;
};

/** Shows one image as large as the window allows; the arrow keys show the next and the previous one. */
export const ImageViewer = ({ images, shownId, onShow, actions }: Props) => {
  const index = images.findIndex(({ id }) => id === shownId);
  const shown = images[index];
  const show = (next: number): void => {
    const image = images[next];
    if (image !== undefined) onShow(image.id);
  };
  useWindowEvent('keydown', ({ key }) => {
    if (shown !== undefined && key === 'ArrowLeft') show(index - 1);
    if (shown !== undefined && key === 'ArrowRight') show(index + 1);
  });
  return (
    <Dialog
      title={texts.images.viewer(index + 1, images.length)}
      open={shown !== undefined}
      onClose={() => onShow(undefined)}
      wide
    >
      {shown !== undefined && (
        <div class="stack">
          <div class="viewer">
            <GalleryPicture key={shown.id} image={shown} isLarge />
          </div>
          <p class="prompt-text" dir="auto">
            {shown.prompt}
          </p>
          <div class="row spread">
            <div class="row">
              <SmallButton disabled={index === 0} onClick={() => show(index - 1)}>
                <ArrowLeft size={15} aria-hidden />
                {texts.library.previous}
              </SmallButton>
              <SmallButton disabled={index === images.length - 1} onClick={() => show(index + 1)}>
                {texts.library.next}
                <ArrowRight size={15} aria-hidden />
              </SmallButton>
            </div>
            {actions(shown)}
          </div>
        </div>
      )}
    </Dialog>
  );
};
