import { useState } from 'preact/hooks';
import { serverNow } from '../api/clock.ts';
import { generateImage, type ImageRequest } from '../api/images.ts';
import { useMutation } from '../api/use-mutation.ts';
import { CodePanel } from '../parts/code-panel.tsx';
import { useDraft, useDraftFiles } from '../playground/drafts.ts';
import { PlaygroundPage, type PlaygroundTab } from '../playground/playground-page.tsx';
import { notify } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { addToGallery, Gallery } from './gallery.tsx';
import { IMAGE_DRAFT, imageProgram, MAX_INPUTS, NO_INPUTS, readImageForm } from './image-form.ts';
import { ImageFormPanel } from './image-form-panel.tsx';

/** Adds the image to the gallery even if the page has been left meanwhile. */
const createImage = async (request: ImageRequest): Promise<void> => {
  const { blob, fileId } = await generateImage(request);
  const isStored = await addToGallery({
    id: `image-${crypto.randomUUID()}`,
    fileId,
    blob,
    prompt: request.prompt,
    aspectRatio: request.aspectRatio,
    imageSize: request.imageSize,
    createdAt: serverNow(),
  });
  notify(isStored ? texts.images.finished : texts.images.notStored, isStored ? 'good' : 'info');
};

export const ImagePlayground = () => {
  const [form, setForm] = useDraft(IMAGE_DRAFT, readImageForm);
  const [files, setFiles] = useDraftFiles(IMAGE_DRAFT, NO_INPUTS);
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const create = useMutation(createImage);
  return (
    <PlaygroundPage
      title={texts.images.title}
      description={texts.images.description}
      form={
        <ImageFormPanel
          form={form}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={() => {
            setTab('result');
            void create.mutate({ ...form, inputs: files.inputs });
          }}
          isPending={create.isPending}
          error={create.error}
        />
      }
      resultLabel={texts.images.gallery}
      result={
        <Gallery
          isGenerating={create.isPending}
          onExample={(prompt) => setForm({ prompt })}
          onUse={(image) => setFiles({ inputs: [...files.inputs, image].slice(-MAX_INPUTS) })}
        />
      }
      code={<CodePanel program={imageProgram(form, files.inputs)} />}
      tab={tab}
      onTab={setTab}
    />
  );
};
