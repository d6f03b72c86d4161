import { useState } from 'preact/hooks';
import { CodePanel } from '../parts/code-panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useDraft, useDraftFiles } from '../playground/drafts.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { GalleryPanel } from './gallery-panel.tsx';
import { imageProgram } from './image-code.ts';
import { IMAGE_DRAFT, MAX_INPUTS, NO_INPUTS, readImageForm } from './image-form.ts';
import { ImageFormPanel } from './image-form-panel.tsx';
import { useCreateImage } from './use-create-image.ts';

export const ImagePlayground = () => {
  const [form, setForm] = useDraft(IMAGE_DRAFT, readImageForm);
  const [files, setFiles] = useDraftFiles(IMAGE_DRAFT, NO_INPUTS);
  const [tab, setTab] = useState<'gallery' | 'code'>('gallery');
  const create = useCreateImage();
  const submit = (): void => {
    setTab('gallery');
    create.mutate({ ...form, inputs: files.inputs });
  };
  const galleryPanel = (
    <GalleryPanel
      isGenerating={create.isPending}
      onExample={(prompt) => setForm({ prompt })}
      onUse={(image) => setFiles({ inputs: [...files.inputs, image].slice(-MAX_INPUTS) })}
    />
  );
  return (
    <>
      <PageTitle title={texts.images.title} description={texts.images.description} />
      <div class="split">
        <ImageFormPanel
          form={form}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={submit}
          isBusy={create.isPending}
          error={create.error}
        />
        <div class="card">
          <Tabs
            label={texts.images.title}
            chosen={tab}
            onChoose={setTab}
            tabs={[
              { name: 'gallery', label: texts.images.gallery, content: galleryPanel },
              {
                name: 'code',
                label: texts.video.code,
                content: <CodePanel program={imageProgram(form, files.inputs)} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  );
};
