import { useState } from 'preact/hooks';
import { CodePanel } from '../playground/code-panel.tsx';
import { useDraft, useDraftFiles } from '../playground/drafts.ts';
import { PlaygroundPage, type PlaygroundTab } from '../playground/playground-page.tsx';
import { texts } from '../texts/texts.ts';
import { useCreateImages } from './create-images.ts';
import { Gallery } from './gallery.tsx';
import type { GalleryImage } from './gallery-images.ts';
import { IMAGE_DRAFT, imageProgram, MAX_INPUTS, NO_INPUTS, readImageForm } from './image-form.ts';
import { ImageFormPanel } from './image-form-panel.tsx';

export const ImagePlayground = () => {
  const [form, setForm] = useDraft(IMAGE_DRAFT, readImageForm);
  const [files, setFiles] = useDraftFiles(IMAGE_DRAFT, NO_INPUTS);
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const create = useCreateImages();
  /** An image of the account is used by its id, without sending it again. */
  const use = ({ name, from }: GalleryImage): void => {
    if ('blob' in from) {
      const image = new File([from.blob], name, { type: from.blob.type });
      setFiles({ inputs: [...files.inputs, image].slice(-MAX_INPUTS) });
    } else if (!form.kept.some(({ id }) => id === from.file.id))
      setForm({ kept: [...form.kept, { id: from.file.id, name }].slice(-MAX_INPUTS) });
  };
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
            void create.mutate({ form, files });
          }}
          isPending={create.isPending}
          error={create.error}
        />
      }
      resultLabel={texts.images.gallery}
      result={<Gallery waiting={create.waiting} onExample={(prompt) => setForm({ prompt })} onUse={use} />}
      code={<CodePanel program={imageProgram(form, [...files.inputs, ...form.kept])} />}
      tab={tab}
      onTab={setTab}
    />
  );
};
