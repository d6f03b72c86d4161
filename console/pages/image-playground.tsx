import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { clearGallery, gallery } from '../images/gallery.ts';
import { fileNameOf, GalleryItem } from '../images/gallery-item.tsx';
import { IMAGE_DRAFT, MAX_INPUTS, NO_INPUTS, readImageForm } from '../images/image-form.ts';
import { ImageFormPanel } from '../images/image-form-panel.tsx';
import { useCreateImage } from '../images/use-create-image.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useDraft, useDraftFiles } from '../storage/drafts.ts';
import { texts } from '../texts.ts';

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

export const ImagePlayground = () => {
  const [form, setForm] = useDraft(IMAGE_DRAFT, readImageForm);
  const [files, setFiles] = useDraftFiles(IMAGE_DRAFT, NO_INPUTS);
  const { data: images = [], error: galleryError } = useQuery(gallery);
  const create = useCreateImage();
  return (
    <>
      <PageTitle title={texts.images.title} description={texts.images.description} />
      <div class="split">
        <ImageFormPanel
          form={form}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={() => create.mutate({ ...form, inputs: files.inputs })}
          isBusy={create.isPending}
          error={create.error}
        />
        <section class="card stack" aria-label={texts.images.gallery}>
          <div class="row spread">
            <h2>{texts.images.gallery}</h2>
            {images.length > 0 && <ClearGallery />}
          </div>
          <p class="hint">{texts.images.galleryNote}</p>
          {galleryError !== null && <ErrorProblem error={galleryError} />}
          {images.length === 0 && !create.isPending && (
            <Empty title={texts.images.galleryEmptyTitle} text={texts.images.galleryEmptyText}>
              <button type="button" class="button" onClick={() => setForm({ prompt: texts.images.example })}>
                {texts.images.useExample}
              </button>
            </Empty>
          )}
          <ul class="gallery">
            {create.isPending && (
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
                onUse={(used) =>
                  setFiles({
                    inputs: [
                      ...files.inputs,
                      new File([used.blob], fileNameOf(used), { type: used.blob.type }),
                    ].slice(-MAX_INPUTS),
                  })
                }
              />
            ))}
          </ul>
        </section>
      </div>
    </>
  );
};
