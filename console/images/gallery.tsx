import { Download, Film, ImagePlus, type LucideIcon } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/text.ts';
import { useNow } from '../api/clock.ts';
import { useMutation } from '../api/hooks.ts';
import { deleteFile, fileContentUrl, galleryPages, type OutputFile } from '../api/images.ts';
import { DropTray } from '../library/drop-tray.tsx';
import { ShareButton } from '../library/share-dialog.tsx';
import { prepareFileAs, prepareItemAs } from '../library/use-again.ts';
import { Trash2 } from '../page-icons.mjs';
import { Button, IconButton } from '../parts/buttons.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { dragSource } from '../parts/dragged-item.ts';
import { describeLeft, describeWhole } from '../parts/durations.ts';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { formatElapsed, formatNumber, formatSize } from '../parts/format.ts';
import { LoadMore } from '../parts/lists.tsx';
import { saveFile } from '../parts/object-url.ts';
import { ScopeSwitch } from '../parts/scope.tsx';
import { imageDurations } from '../playground/image-form.ts';
import { orNotify } from '../session/notices.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { type GalleryImage, removeLocalImage, useGallery } from './gallery-images.ts';
import { GalleryPicture, ImageViewer } from './image-viewer.tsx';
import { type PendingImage, usePendingImages } from './pending-images.ts';

const deleteImage = async ({ id, from }: GalleryImage): Promise<void> => {
  if ('blob' in from) return removeLocalImage(id);
  await deleteFile(id);
  await galleryPages.invalidate();
};

const MAX_NAME_SHOWN = 60;

type ActionsProps = {
  readonly image: GalleryImage;
  readonly onUse: (image: GalleryImage) => void;
  readonly onDelete: (image: GalleryImage) => void;
};

const useAsFirstFrame = ({ from, name, prompt }: GalleryImage) => {
  const [, navigate] = useLocation();
  return useMutation(() =>
    orNotify(async () => {
      if ('file' in from) await prepareItemAs({ kind: 'image', id: from.file.id }, 'first', prompt);
      else await prepareFileAs(new File([from.blob], name, { type: from.blob.type }), prompt, 'first');
      navigate('/playground/video');
    }),
  );
};

const Actions = ({ image, onUse, onDelete }: ActionsProps) => {
  const { from, name } = image;
  /** Images have the same actions, so their names tell them apart. */
  const label = (action: string): string =>
    texts.images.actionOn(action, truncate(image.prompt, MAX_NAME_SHOWN));
  const action = (icon: LucideIcon, title: string, onClick: () => void, disabled = false) => (
    <IconButton icon={icon} aria-label={label(title)} title={title} disabled={disabled} onClick={onClick} />
  );
  const mayCreate = useIsAllowed('create');
  const mayDelete = useIsAllowed('delete');
  const firstFrame = useAsFirstFrame(image);
  return (
    <span class="row gallery-actions">
      {mayCreate && action(ImagePlus, texts.images.asInput, () => onUse(image))}
      {mayCreate &&
        action(Film, texts.library.useAs.first, () => void firstFrame.mutate(), firstFrame.isPending)}
      {'blob' in from ? (
        action(Download, texts.actions.download, () => saveFile(name, from.blob))
      ) : (
        <a
          class="icon-button"
          href={fileContentUrl(from.file.id)}
          download={name}
          aria-label={label(texts.actions.download)}
          title={texts.actions.download}
        >
          <Download size={16} aria-hidden />
        </a>
      )}
      {'file' in from && <ShareButton item={{ file_id: from.file.id }} isIcon />}
      {mayDelete && action(Trash2, texts.actions.delete, () => onDelete(image))}
    </span>
  );
};

const GalleryItem = ({ onEnlarge, ...props }: ActionsProps & { readonly onEnlarge: () => void }) => {
  const { image } = props;
  return (
    <li class="gallery-item" {...('file' in image.from ? dragSource({ kind: 'image', id: image.id }) : {})}>
      <button type="button" class="gallery-open" title={texts.batch.open} onClick={onEnlarge}>
        <GalleryPicture image={image} />
      </button>
      <div class="gallery-caption">
        <p class="small gallery-prompt" dir="auto">
          {image.prompt}
        </p>
        <div class="row spread">
          <span class="quiet small">{formatSize(image.size)}</span>
          <Actions {...props} />
        </div>
      </div>
    </li>
  );
};

type PendingProps = { readonly pending: PendingImage; readonly files: readonly OutputFile[] };

const PendingTile = ({ pending: { at, imageSize }, files }: PendingProps) => {
  const elapsed = useNow(1000) - at;
  return (
    <li class="screen working">
      <p role="status">{texts.images.generating}</p>
      <div class="progress-bar" aria-hidden="true" />
      <p class="quiet small number">{texts.video.elapsed(formatElapsed(elapsed))}</p>
      <p class="small">{describeLeft(imageDurations(files, imageSize), elapsed)}</p>
    </li>
  );
};

export const ImageEstimate = ({ imageSize }: { readonly imageSize: string }) => {
  const { files, isLoading } = useGallery();
  return isLoading ? null : describeWhole(imageDurations(files, imageSize));
};

type Props = {
  readonly onExample: (prompt: string) => void;
  readonly onUse: (image: GalleryImage) => void;
};

export const Gallery = ({ onExample, onUse }: Props) => {
  const gallery = useGallery();
  const { images, files, isLoading, error } = gallery;
  const { video_retention_days, stores_images } = useCurrentSession();
  const waiting = usePendingImages();
  const [enlargedId, setEnlargedId] = useState<string>();
  const [doomed, setDoomed] = useState<GalleryImage>();
  const deletion = useMutation(deleteImage, () => setDoomed(undefined));
  const use = (image: GalleryImage): void => {
    setEnlargedId(undefined);
    onUse(image);
  };
  const remove = (image: GalleryImage): void => {
    setEnlargedId(undefined);
    setDoomed(image);
  };
  return (
    <div class="stack">
      <DropTray />
      <div class="row spread">
        <p class="hint">{stores_images && texts.images.galleryNote(formatNumber(video_retention_days))}</p>
        <ScopeSwitch />
      </div>
      <LoadState {...gallery} data={isLoading ? undefined : images} />
      {images.length === 0 && waiting.length === 0 && !isLoading && error === null && (
        <Empty title={texts.images.galleryEmptyTitle} text={texts.images.galleryEmptyText}>
          <Button onClick={() => onExample(texts.images.example)}>{texts.images.useExample}</Button>
        </Empty>
      )}
      <ul class="gallery">
        {waiting.map((pending) => (
          <PendingTile key={pending.key} pending={pending} files={files} />
        ))}
        {images.map((image) => (
          <GalleryItem
            key={image.id}
            image={image}
            onEnlarge={() => setEnlargedId(image.id)}
            onUse={use}
            onDelete={remove}
          />
        ))}
      </ul>
      <LoadMore {...gallery} />
      <ImageViewer
        images={images}
        shownId={enlargedId}
        onShow={setEnlargedId}
        actions={(image) => <Actions image={image} onUse={use} onDelete={remove} />}
      />
      <Confirm
        open={doomed !== undefined}
        title={texts.images.deleteTitle}
        text={texts.images.deleteText}
        action={texts.actions.delete}
        onConfirm={() => doomed !== undefined && deletion.mutate(doomed)}
        onClose={() => setDoomed(undefined)}
        mutation={deletion}
      />
    </div>
  );
};
