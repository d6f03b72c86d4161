import { useMemo, useRef, useState } from 'preact/hooks';
import { pixelSize } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { withRetries } from '../api/errors.ts';
import { useMutation } from '../api/hooks.ts';
import type { RequestImage } from '../api/uploads.ts';
import { createVideo, rememberVideo } from '../api/videos.ts';
import { lazyPage, lazyPages } from '../lazy-page.tsx';
import { formatSize } from '../parts/format.ts';
import { inTab, useDraft, useDraftFiles } from '../playground/drafts.ts';
import { PlaygroundPage, type PlaygroundTab } from '../playground/playground-page.tsx';
import { useLink } from '../playground/settings-link.ts';
import {
  actualSeconds,
  FORM_RULES,
  fileFields,
  NO_FILES,
  offersEveryVideo,
  readVideoForm,
  toFormData,
  toVideoForm,
  VIDEO_DRAFT,
  type VideoFiles,
  type VideoForm,
  variationSeeds,
} from '../playground/video-form.ts';
import type { VideoOffer } from '../playground/video-offer.ts';
import { notifyError } from '../session/notices.ts';
import { useCurrentSession } from '../session/session.ts';
import { usePreference } from '../session/storage.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { VideoFormPanel } from './video-form-panel.tsx';

type Input = { readonly form: VideoForm; readonly files: VideoFiles; readonly hasSeeds: boolean };

/** One request; repeating it with its key returns the same task. */
type Order = { readonly seed: string; readonly key: string };

const newOrders = ({ form, hasSeeds }: Input): readonly Order[] => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return variationSeeds(form, random, hasSeeds).map((seed) => ({ seed, key: crypto.randomUUID() }));
};

/** Reports each created video, then fails if one of them failed. */
const createAll = async (
  orders: readonly Order[],
  create: (order: Order) => Promise<VideoObject>,
  onCreated: (id: string) => void,
): Promise<void> => {
  const results = await Promise.allSettled(orders.map(create));
  const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const video of created) rememberVideo(video);
  const [first] = created;
  if (first !== undefined) onCreated(first.id);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/**
 * Repeating an unchanged form reuses its idempotency keys, so that neither a lost response nor the failure of another
 * variation causes a second video.
 */
const useCreateVideos = (onCreated: (id: string) => void) => {
  const last = useRef<(Input & { readonly orders: readonly Order[] }) | undefined>(undefined);
  return useMutation(async (input: Input) => {
    const { form, files } = input;
    if (last.current?.form !== form || last.current.files !== files)
      last.current = { ...input, orders: newOrders(input) };
    const { orders } = last.current;
    const fields = fileFields(form, files);
    // Images that are too large for a request are uploaded once for all variations.
    const sendAll = (images: readonly RequestImage[]) => {
      const named = images.map((image, index) => [fields[index]?.[0] ?? '', image] as const);
      const create = ({ seed, key }: Order) =>
        withRetries(() => createVideo(toFormData({ ...form, seed }, named), key));
      return createAll(orders, create, onCreated);
    };
    if (fields.length === 0) await sendAll([]);
    else {
      const { withImages } = await lazyPages();
      await withImages(
        fields.map(([, file]) => file),
        sendAll,
      );
    }
    last.current = undefined;
  });
};

type EmptyProps = { readonly form: VideoForm; readonly onExample: (prompt: string) => void };

/** Shown before the first video: a screen of the chosen shape, and example prompts. */
const EmptyStage = ({ form, onExample }: EmptyProps) => (
  <div class="stack">
    <section class={`screen screen-empty quiet ${form.aspectRatio === '9:16' ? 'screen-portrait' : ''}`}>
      <svg viewBox="0 0 24 24" class="screen-mark" aria-hidden="true">
        <path d="M8 5.5v13l11-6.5z" />
      </svg>
      <h2>{texts.video.emptyTitle}</h2>
      <p class="number">
        {texts.video.lengthAndSize(
          String(actualSeconds(form)),
          formatSize(pixelSize(form.resolution, form.aspectRatio)),
        )}
      </p>
      <p class="small">{texts.video.emptyText}</p>
    </section>
    <section class="stack stack-tight" aria-labelledby="examples">
      <h3 id="examples" class="label">
        {texts.video.example}
      </h3>
      <ul class="stack stack-tight">
        {texts.video.examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              class="example box"
              aria-pressed={example === form.prompt}
              onClick={() => onExample(example)}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </section>
  </div>
);

const LinkedVideo = lazyPage(async () => (await lazyPages()).LinkedVideo);
const CodePanel = lazyPage(async () => (await lazyPages()).VideoCodePanel);
/** In a file of its own, because the page shows it at once. */
const Results = lazyPage(async () => (await import('./video-results.tsx')).VideoResults);
const Estimate = lazyPage(async () => (await import('./video-results.tsx')).Estimate, true);

/** Without an offer, everything is offered. */
const Playground = ({ offer }: { readonly offer?: VideoOffer }) => {
  const [draft, setForm] = useDraft(VIDEO_DRAFT, (stored) =>
    readVideoForm({ ...offer?.start(stored.model), ...stored }),
  );
  const form = useMemo(() => offer?.fit(draft) ?? draft, [offer, draft]);
  const [files, setFiles] = useDraftFiles(VIDEO_DRAFT, NO_FILES);
  const [taskId, setTaskId] = usePreference(inTab('video-task'));
  const [tab, setTab] = useState<PlaygroundTab>('result');
  const aside = useRef<HTMLDivElement>(null);
  const show = (id: string): void => {
    setTaskId(id);
    setTab('result');
    // On a narrow screen the result is below the form.
    aside.current?.scrollIntoView({ block: 'nearest' });
  };
  const create = useCreateVideos(show);
  const link = useLink('video');
  const fill = (settings: { readonly form: VideoForm; readonly files: VideoFiles }): void => {
    setForm(settings.form);
    setFiles(settings.files);
  };
  const fillAgain = async (video: VideoObject): Promise<void> => {
    const { loadInputs } = await lazyPages();
    fill({ form: toVideoForm(video), files: await loadInputs(video) });
  };
  const fillNext = async (video: VideoObject): Promise<void> =>
    fill(await (await lazyPages()).continuation(video));
  return (
    <PlaygroundPage
      title={texts.video.title}
      description={texts.video.description}
      onImages={() => setForm({ mode: 'first_frame' })}
      loadItem={async (item) => (await lazyPages()).loadItemImage(item)}
      top={link !== undefined && <LinkedVideo link={link} current={{ form: draft, files }} onApply={fill} />}
      form={
        <VideoFormPanel
          form={form}
          offer={offer}
          files={files}
          onChange={setForm}
          onFiles={setFiles}
          onSubmit={() => create.mutate({ form, files, hasSeeds: offer?.refuse(form, 'seed') === undefined })}
          mutation={create}
          note={<Estimate form={form} />}
        />
      }
      resultLabel={texts.video.result}
      result={
        <div class="stack">
          {/* Above the list of recent videos, which comes later and would move it. */}
          {taskId === undefined && <EmptyStage form={form} onExample={(prompt) => setForm({ prompt })} />}
          <Results
            shownId={taskId}
            onShow={show}
            onUseAgain={(video) => void fillAgain(video).catch(notifyError)}
            onContinue={(video) => void fillNext(video).catch(notifyError)}
          />
        </div>
      }
      code={<CodePanel form={form} files={files} />}
      tab={tab}
      onTab={setTab}
      isSticky
      asideRef={aside}
    />
  );
};

const NoVideos = lazyPage(async () => (await lazyPages()).NoVideos);

/** For a deployment that does not offer everything. */
const RestrictedPlayground = lazyPage(async () => {
  const { useVideoOffer } = await import('../playground/use-video-offer.ts');
  return () => {
    const offer = useVideoOffer(FORM_RULES);
    return offer.models.length === 0 ? <NoVideos /> : <Playground offer={offer} />;
  };
});

export const VideoPlayground = () =>
  offersEveryVideo(useCurrentSession().offers.video) ? <Playground /> : <RestrictedPlayground />;
