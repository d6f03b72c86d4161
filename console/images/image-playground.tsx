import { X } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/catalogue/domain/image-sizes.ts';
import { sizeNotOffered } from '../../functions/images/domain/offered.ts';
import { ApiError } from '../api/errors.ts';
import { useMutation } from '../api/hooks.ts';
import { withImages } from '../api/image-files.ts';
import { fileContentUrl } from '../api/images.ts';
import { refreshSession } from '../api/session.ts';
import { ItemPicker } from '../library/item-picker.tsx';
import { PromptHistory } from '../library/prompt-history.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { Choices, RatioChoices } from '../parts/choices.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { imagePrice } from '../parts/format.ts';
import { toFrame } from '../parts/input-images.ts';
import { loadItemImage } from '../parts/item-image.ts';
import { NoImages } from '../parts/not-offered.tsx';
import { CodePanel } from '../playground/code-panel.tsx';
import { useDraft, useDraftFiles } from '../playground/drafts.ts';
import {
  IMAGE_COUNTS,
  IMAGE_DRAFT,
  type ImageFiles,
  type ImageForm,
  imageProgram,
  MAX_INPUTS,
  NO_INPUTS,
  readImageForm,
} from '../playground/image-form.ts';
import { copyImageLink, LinkedImage } from '../playground/linked-settings.tsx';
import {
  Composer,
  type FormPanelProps,
  PlaygroundPage,
  type PlaygroundTab,
  PromptField,
} from '../playground/playground-page.tsx';
import { useLink } from '../playground/settings-link.ts';
import { notify } from '../session/notices.ts';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { Gallery, ImageEstimate } from './gallery.tsx';
import type { GalleryImage } from './gallery-images.ts';
import { createImage } from './pending-images.ts';

type Props = FormPanelProps<ImageForm, ImageFiles>;

const KeptInputs = ({ form: { kept }, onChange }: Pick<Props, 'form' | 'onChange'>) =>
  kept.length === 0 ? null : (
    <div class="drop-row">
      {kept.map(({ id, name }) => (
        <figure key={id} class="preview">
          <img src={fileContentUrl(id)} alt={name} />
          <IconButton
            icon={X}
            kind="preview-remove"
            aria-label={texts.actions.remove(name)}
            onClick={() => onChange({ kept: kept.filter((other) => other.id !== id) })}
          />
        </figure>
      ))}
    </div>
  );

/** By the HTTP status, because errors in the native format have no codes of the service. */
const adviceFor = (error: Error | null): string | undefined =>
  error instanceof ApiError ? texts.images.advice[error.status] : undefined;

const ImageFormPanel = ({ form, files, onChange, onFiles, onSubmit, mutation }: Props) => {
  const { prices, offers } = useCurrentSession();
  const notOffered = IMAGE_SIZES.filter((size) => !offers.image_sizes.includes(size));
  const isMissing = form.prompt.trim() === '';
  return (
    <Composer
      isValid={!isMissing && !notOffered.includes(form.imageSize)}
      onSubmit={onSubmit}
      mutation={mutation}
      pendingLabel={texts.images.generating}
      count={form.count}
      price={imagePrice(prices, form.imageSize, form.count)}
      advice={adviceFor(mutation.error)}
      note={<ImageEstimate imageSize={form.imageSize} />}
    >
      {(showProblems) => (
        <>
          <PromptField
            value={form.prompt}
            problem={showProblems && isMissing ? texts.form.promptMissing : undefined}
            onChange={onChange}
            onCopyLink={() => copyImageLink(form, files)}
            History={PromptHistory}
          />
          <DropZone
            label={texts.form.inputs}
            most={MAX_INPUTS - form.kept.length}
            files={files.inputs}
            Picker={ItemPicker}
            frame={toFrame(
              form.aspectRatio,
              IMAGE_ASPECT_RATIOS,
              (aspectRatio) => onChange({ aspectRatio }),
              true,
            )}
            onChange={(inputs) => onFiles({ inputs })}
          />
          <KeptInputs form={form} onChange={onChange} />
          <div class="ratio-grid">
            <RatioChoices
              legend={texts.form.aspectRatio}
              value={form.aspectRatio}
              ratios={IMAGE_ASPECT_RATIOS}
              onChange={(aspectRatio) => onChange({ aspectRatio })}
            />
          </div>
          <Choices
            legend={texts.form.size}
            value={form.imageSize}
            choices={IMAGE_SIZES.map((value) => ({ value, label: value }))}
            disabled={notOffered}
            reason={notOffered.map((size) => sizeNotOffered(size, offers.image_sizes))[0]}
            onChange={(imageSize) => onChange({ imageSize })}
          />
          <Choices
            legend={texts.images.count}
            value={form.count}
            choices={IMAGE_COUNTS.map((value) => ({ value, label: value }))}
            onChange={(count) => onChange({ count })}
          />
        </>
      )}
    </Composer>
  );
};

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
