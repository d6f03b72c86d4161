import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { serverNow } from '../api/clock.ts';
import { fileContentUrl } from '../api/images.ts';
import { isUnfinished } from '../api/videos.ts';
import { Problem } from '../parts/feedback.tsx';
import { formatAge, formatElapsed, formatNumber, formatSize, formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { VideoFailure } from '../parts/video-failure.tsx';
import { formatCharge, isExpired, shownPrompt, VideoStage } from '../parts/video-stage.tsx';
import { useKeyName, usePersonName } from '../people/names.ts';
import { CodePanel, VideoCodePanel } from '../playground/code-panel.tsx';
import { imageProgram, toImageForm } from '../playground/image-form.ts';
import { NO_FILES, toVideoForm } from '../playground/video-form.ts';
import { useCurrentSession, useHasFeature } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { deliveryNotes } from './delivery-notes.ts';
import { ItemActions } from './item-actions.tsx';
import { ItemDeliveries } from './item-deliveries.tsx';
import { type LibraryItem, toImageItem, toVideoItem } from './items.ts';

const useMaker = (keyId: string | undefined, personId: string | null | undefined): readonly Pair[] => {
  const { id } = useCurrentSession();
  const keyName = useKeyName();
  const personName = usePersonName();
  const toolName = (): string => {
    if (keyId === undefined) return texts.states.none;
    if (keyId === id) return texts.library.thisSession;
    if (keyId.startsWith('sess_')) return texts.library.otherSession;
    return keyName(keyId);
  };
  return [
    [texts.library.creator, personId && personName(personId)],
    [texts.library.maker, toolName()],
  ];
};

const expiryText = (expiresAt: number | null): string =>
  expiresAt === null
    ? texts.library.keptUntilReleased
    : texts.task.expiresIn(formatTime(expiresAt), formatAge(expiresAt, serverNow()));

type VideoProps = { readonly video: VideoObject };

const videoParameters = ({ model, seconds, size, request }: VideoObject): readonly Pair[] => [
  [texts.form.model, model],
  [texts.form.seconds, texts.form.secondsValue(Number(seconds))],
  [texts.form.size, formatSize(size)],
  [texts.form.mode, request && texts.modes[request.mode]],
  [texts.form.negativePrompt, request?.negative_prompt],
  [texts.form.seed, request?.seed],
];

const videoCharge = (video: VideoObject): string => {
  if (video.status === 'failed') return texts.task.notCharged;
  if (video.status !== 'completed') return texts.task.chargePending;
  return formatCharge(video) ?? texts.task.noAmount;
};

const videoBilling = (video: VideoObject): readonly Pair[] => [
  [texts.task.charge, video.charge === undefined ? undefined : videoCharge(video)],
  [texts.task.expires, video.expires_at === null && !video.kept ? undefined : expiryText(video.expires_at)],
];

type FactsProps = { readonly pairs: readonly Pair[]; readonly notes?: readonly string[] };

const Facts = ({ pairs, notes = [] }: FactsProps) => (
  <section class="card stack">
    <h2>{texts.task.parameters}</h2>
    <Pairs pairs={pairs} />
    {notes.map((note) => (
      <p key={note}>{note}</p>
    ))}
  </section>
);

const STEPS = ['created', 'submitted', 'generated', 'completed', 'failed'] as const;

const toSteps = ({ timeline, created_at, completed_at }: VideoObject) => {
  const times: Partial<Record<`${(typeof STEPS)[number]}_at`, number | null | undefined>> = timeline ?? {
    created_at,
    completed_at,
  };
  return STEPS.flatMap((step) => {
    const at = times[`${step}_at`] ?? null;
    return at === null ? [] : [{ label: texts.task.steps[step], at }];
  });
};

const Timeline = ({ video }: VideoProps) => {
  const steps = toSteps(video);
  return (
    <section class="card stack">
      <h2>{texts.task.timeline}</h2>
      <ol class="timeline">
        {steps.map(({ label, at }, index) => {
          const before = steps[index - 1];
          return (
            <li key={label}>
              <span>{label}</span>
              <time class="quiet small" dateTime={new Date(at * 1000).toISOString()}>
                {formatTime(at)}
              </time>
              <span class="quiet small number">
                {before !== undefined && `+${formatElapsed((at - before.at) * 1000)}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
};

type MainProps = { readonly item: LibraryItem; readonly children: ComponentChildren; readonly code: VNode };

/** The video or the image, its prompt, its actions, and a program that makes it again. */
const Main = ({ item, children, code }: MainProps) => (
  <div class="card stack">
    {children}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
    <section class="prompt-text" dir="auto" tabIndex={0} aria-label={texts.form.prompt}>
      {shownPrompt(item)}
    </section>
    <ItemActions item={item} />
    <details class="more">
      <summary>{texts.video.code}</summary>
      {code}
    </details>
  </div>
);

export const VideoContent = ({ video }: VideoProps) => {
  const maker = useMaker(video.request?.api_key_id, video.request?.user_id);
  const hasWebhooks = useHasFeature('webhooks');
  const pairs = [...videoParameters(video), ...maker, ...videoBilling(video)];
  return (
    <div class="split detail">
      <Main item={toVideoItem(video)} code={<VideoCodePanel form={toVideoForm(video)} files={NO_FILES} />}>
        <VideoStage video={video} Failure={VideoFailure} />
      </Main>
      <div class="stack">
        <Facts pairs={pairs} notes={deliveryNotes(video)} />
        <Timeline video={video} />
        {!isUnfinished(video) && hasWebhooks && <ItemDeliveries video={video} />}
      </div>
    </div>
  );
};

type ImageProps = { readonly image: FileObject };

const fileSize = ({ bytes }: FileObject): string =>
  bytes < 1_000_000 ? texts.library.kilobytes(formatNumber(Math.ceil(bytes / 1000))) : formatMegabytes(bytes);

/** The whole image. Its box has the final size before the image arrives. */
const LargeImage = ({ image }: ImageProps) => {
  const [isBroken, setIsBroken] = useState(false);
  const [width = 1, height = 1] = (image.size ?? '').split('x').map(Number);
  if (isBroken) return <Problem message={texts.library.imageBroken} />;
  return (
    <img
      class="large-image"
      src={fileContentUrl(image.id)}
      width={width}
      height={height}
      alt={shownPrompt({ prompt: image.prompt ?? '' })}
      onError={() => setIsBroken(true)}
    />
  );
};

export const ImageContent = ({ image }: ImageProps) => {
  const item = toImageItem(image);
  const maker = useMaker(image.api_key_id, image.user_id);
  const pairs: readonly Pair[] = [
    [texts.form.model, image.model],
    [texts.form.size, formatSize(image.size ?? '')],
    [texts.library.bytes, fileSize(image)],
    ...maker,
    [texts.task.charge, formatCharge(image) ?? texts.task.noAmount],
    [texts.task.steps.created, formatTime(image.created_at)],
    [texts.task.expires, expiryText(image.expires_at)],
  ];
  return (
    <div class="split detail">
      <Main item={item} code={<CodePanel program={imageProgram(toImageForm(image), [])} />}>
        {isExpired(item) ? <Problem message={texts.video.expired} /> : <LargeImage image={image} />}
      </Main>
      <div class="stack">
        <Facts pairs={pairs} />
      </div>
    </div>
  );
};
