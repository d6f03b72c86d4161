import { useRef, useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { withImages } from '../api/image-files.ts';
import { refreshSession } from '../api/session.ts';
import { loadItemImage } from '../library/use-again.ts';
import { CodePanel } from '../playground/code-panel.tsx';
import { useDraft, useDraftFiles } from '../playground/drafts.ts';
import { LinkedImage } from '../playground/linked-settings.tsx';
import { PlaygroundPage, type PlaygroundTab } from '../playground/playground-page.tsx';
import { useLink } from '../playground/settings-link.ts';
import { NoImages } from '../shell/not-offered.tsx';
import { notify } from '../shell/notices.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { Gallery } from './gallery.tsx';
import type { GalleryImage } from './gallery-images.ts';
import {
  IMAGE_DRAFT,
  type ImageFiles,
  type ImageForm,
  imageProgram,
  MAX_INPUTS,
  NO_INPUTS,
  readImageForm,
} from './image-form.ts';
import { ImageFormPanel } from './image-form-panel.tsx';
import { createImage } from './pending-images.ts';

type Input = { readonly form: ImageForm; readonly files: ImageFiles };

/**
 * Each image is a request of its own and appears as soon as it is ready. Repeating an unchanged form reuses its
 * idempotency keys, so that a lost response or the failure of another image does not cost a second image.
 */
const useCreateImages = () => {
  const last = useRef<(Input & { readonly keys: readonly string[] }) | undefined>(undefined);
  return useMutation(async ({ form, files }: Input) => {
    if (last.current?.form !== form || last.current.files !== files)
      last.current = { form, files, keys: Array.from({ length: form.count }, () => crypto.randomUUID()) };
    const { keys } = last.current;
    const kept = form.kept.map(({ id }) => ({ fileId: id }));
    try {
      // Images that are too large for a request are uploaded once.
      await withImages(files.inputs, async (images) => {
        const request = { ...form, inputs: [...images, ...kept] };
        const results = await Promise.allSettled(keys.map((key) => createImage(request, key)));
        const failed = results.find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        notify(texts.images.finished(form.count), 'good');
      });
    } finally {
      // Its budget has changed.
      refreshSession();
    }
    last.current = undefined;
  });
};

export const ImagePlayground = () =>
  useCurrentSession().offers.image ? <OfferedPlayground /> : <NoImages />;

const OfferedPlayground = () => {
  const [form, setForm] = useDraft(IMAGE_DRAFT, readImageForm);
  const [files, setFiles] = useDraftFiles(IMAGE_DRAFT, NO_INPUTS);
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const create = useCreateImages();
  const link = useLink('image');
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
      loadItem={loadItemImage}
      top={
        link !== undefined && (
          <LinkedImage
            link={link}
            current={{ form, files }}
            onApply={(settings) => {
              setForm(settings.form);
              setFiles(settings.files);
            }}
          />
        )
      }
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
          mutation={create}
        />
      }
      resultLabel={texts.images.gallery}
      result={<Gallery onExample={(prompt) => setForm({ prompt })} onUse={use} />}
      code={<CodePanel program={imageProgram(form, [...files.inputs, ...form.kept])} />}
      tab={tab}
      onTab={setTab}
    />
  );
};
