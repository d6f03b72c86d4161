import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { texts } from '../texts/texts.ts';
import { clearGallery, gallery } from './gallery.ts';
import { fileNameOf, GalleryItem } from './gallery-item.tsx';

/** The images are nowhere else, so it asks first. */
const ClearGallery = () => {
  const [asks, setAsks] = useState(false);
  const clear = useMutation(clearGallery, () => setAsks(false));
  return (
    <>
      <button type="button" class="button button-small" onClick={() => setAsks(true)}>
        {texts.images.clear}
      </button>
      <Confirm
        open={asks}
        title={texts.images.clearTitle}
        text={texts.images.clearText}
        action={texts.images.clear}
        onConfirm={() => clear.mutate()}
        onClose={() => setAsks(false)}
        isBusy={clear.isPending}
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

export const GalleryPanel = ({ isGenerating, onExample, onUse }: Props) => {
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
            <p class="quiet small">{texts.images.leave}</p>
          </li>
        )}
        {images.map((image) => (
          <GalleryItem
            key={image.id}
            image={image}
            onUse={({ blob }) => onUse(new File([blob], fileNameOf(image), { type: blob.type }))}
          />
        ))}
      </ul>
    </div>
  );
};
