import type { VideoCapabilities } from '../../catalogue/domain/models.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  DURATIONS,
  IMAGE_MODEL,
  MODELS,
  RESOLUTIONS,
  type Resolution,
  VIDEO_MODELS,
  VIDEO_MODES,
  type VideoMode,
  type VideoModel,
  videoModelEntry,
} from '../../catalogue/domain/models.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { onceFor } from '../../platform/domain/once-for.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { theirName } from './model-names.ts';
import type { OptionStyle, Upstream } from './upstreams.ts';

/** A request goes only to upstreams that can do all of it; one that would silently ignore an option counts as unable. */

/** The parts of a video request on which upstreams differ. */
export type VideoNeeds = {
  readonly mode: VideoMode;
  readonly seconds: number;
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly seed: boolean;
  readonly negativePrompt: boolean;
};

/** The parts of an image request on which upstreams differ. */
export const IMAGE_NEEDS = ['conversation', 'instruction', 'sampling', 'safety', 'size512'] as const;
export type ImageNeed = (typeof IMAGE_NEEDS)[number];

export type Needs =
  | ({ readonly medium: 'video' } & VideoNeeds)
  | { readonly medium: 'image'; readonly parts: readonly ImageNeed[] };

/** What a kind cannot do with a model, or with any. */
type Narrowed = Partial<VideoCapabilities>;

const LAST_FRAME_8 = { lastFrameSeconds: [8] } as const;

const WITHOUT_REFERENCES = ['text', 'first_frame', 'first_and_last_frame'] as const;

const NARROWED: Readonly<
  Record<Exclude<Upstream['kind'], 'openai'>, Partial<Record<VideoModel | 'any', Narrowed>>>
> = {
  // Google's own API rejected other durations, and those of gateways that speak its protocol are not documented.
  gemini: { any: LAST_FRAME_8 },
  // Whether it accepts shorter videos with a last frame is not documented; the page of the fast model lists no 4k.
  vertex: { any: LAST_FRAME_8, 'video-3.1-fast-generate-preview': { resolutions: ['720p', '1080p'] } },
  // The Interactions API has neither for videos.
  interactions: { any: { seed: false, negativePrompt: false } },
  // How it passes on reference images is not documented.
  openrouter: { any: { modes: WITHOUT_REFERENCES } },
};

const OPENAI_MODES = ['text', 'first_frame'] as const;

/** Servers of the Videos API accept any field and read those that they know. */
const OPENAI_NARROWED: Readonly<Record<OptionStyle, Narrowed>> = {
  none: { modes: OPENAI_MODES, seed: false, negativePrompt: false },
  metadata: { modes: OPENAI_MODES },
  'top-level': { modes: OPENAI_MODES },
  // It depends on the upstreams of the other deployment.
  'media-generation': LAST_FRAME_8,
};

/** The Images API has a prompt and images; the other kinds have conversations. */
const IMAGE_TABLE = {
  gemini: IMAGE_NEEDS,
  vertex: IMAGE_NEEDS,
  interactions: [],
  // How it passes on safety settings and the smallest size is not documented.
  openrouter: ['conversation', 'instruction', 'sampling'],
  openai: ['size512'],
} as const satisfies Record<Upstream['kind'], readonly ImageNeed[]>;

const narrow = <Value>(all: readonly Value[], offered: readonly Value[] | undefined): readonly Value[] =>
  offered === undefined ? all : all.filter((value) => offered.includes(value));

const withLastFrames = (
  seconds: readonly number[] | undefined,
): Pick<VideoCapabilities, 'lastFrameSeconds'> =>
  seconds === undefined ? {} : { lastFrameSeconds: seconds };

const narrowAll = (can: VideoCapabilities, limits: Upstream['offers'] & {}): VideoCapabilities => ({
  modes: narrow(can.modes, limits.modes),
  seconds: narrow(can.seconds, limits.seconds),
  ...withLastFrames(limits.lastFrameSeconds ?? can.lastFrameSeconds),
  resolutions: narrow(can.resolutions, limits.resolutions),
  aspectRatios: narrow(can.aspectRatios, limits.aspectRatios),
  seed: can.seed && limits.seed !== false,
  negativePrompt: can.negativePrompt && limits.negativePrompt !== false,
});

const modelCapabilities = (model: VideoModel): VideoCapabilities => {
  const entry = videoModelEntry(model);
  return { ...entry, negativePrompt: entry.negativePrompt.length > 0 };
};

/** Version 1.2 of Gemini Omni makes longer videos than the earlier ones. */
const omniLimits = (upstream: Upstream, model: VideoModel): Narrowed =>
  upstream.kind === 'interactions' && !theirName(upstream, model)?.includes('omni-1.2')
    ? { seconds: DURATIONS.filter((seconds) => seconds <= 10) }
    : {};

const kindLimits = (upstream: Upstream, model: VideoModel): readonly Narrowed[] =>
  upstream.kind === 'openai'
    ? [OPENAI_NARROWED[upstream.options]]
    : [NARROWED[upstream.kind].any ?? {}, NARROWED[upstream.kind][model] ?? {}, omniLimits(upstream, model)];

const findCapabilities = (upstream: Upstream, model: VideoModel): VideoCapabilities | undefined => {
  if (theirName(upstream, model) === undefined) return undefined;
  const can = [...kindLimits(upstream, model), upstream.offers ?? {}].reduce(
    narrowAll,
    modelCapabilities(model),
  );
  const isUsable = [can.modes, can.seconds, can.resolutions, can.aspectRatios].every(
    ({ length }) => length > 0,
  );
  return isUsable ? can : undefined;
};

const capabilitiesByModel = onceFor(
  (upstream: Upstream) => new Map(VIDEO_MODELS.map((model) => [model, findCapabilities(upstream, model)])),
);

/** Undefined if the upstream does not offer the model, or if its settings leave nothing of it. */
export const videoCapabilities = (upstream: Upstream, model: VideoModel): VideoCapabilities | undefined =>
  capabilitiesByModel(upstream).get(model);

const lastFrames = ({ seconds, lastFrameSeconds }: VideoCapabilities): readonly number[] =>
  narrow(seconds, lastFrameSeconds);

/** Undefined if no mode but that with a last frame has other durations. */
const combineLastFrames = (sets: readonly VideoCapabilities[]): readonly number[] | undefined => {
  const able = sets.filter(({ modes }) => modes.includes('first_and_last_frame'));
  return able.every(({ lastFrameSeconds }) => lastFrameSeconds === undefined)
    ? undefined
    : DURATIONS.filter((duration) => able.some((can) => lastFrames(can).includes(duration)));
};

/** Everything that at least one of the upstreams can do; perhaps none of them can do all of it in one video. */
export const combineCapabilities = (sets: readonly VideoCapabilities[]): VideoCapabilities => ({
  modes: VIDEO_MODES.filter((mode) => sets.some(({ modes }) => modes.includes(mode))),
  seconds: DURATIONS.filter((duration) => sets.some(({ seconds }) => seconds.includes(duration))),
  ...withLastFrames(combineLastFrames(sets)),
  resolutions: RESOLUTIONS.filter((resolution) =>
    sets.some(({ resolutions }) => resolutions.includes(resolution)),
  ),
  aspectRatios: ASPECT_RATIOS.filter((ratio) =>
    sets.some(({ aspectRatios }) => aspectRatios.includes(ratio)),
  ),
  seed: sets.some(({ seed }) => seed),
  negativePrompt: sets.some(({ negativePrompt }) => negativePrompt),
});

const hasSeconds = (can: VideoCapabilities, { mode, seconds }: VideoNeeds, parts: readonly Need[]): boolean =>
  (mode === 'first_and_last_frame' && parts.includes('mode') && can.modes.includes(mode)
    ? lastFrames(can)
    : can.seconds
  ).includes(seconds);

type Need = keyof VideoNeeds;

/** The needs among these parts of the request that are not met; a duration may be possible in other modes only. */
export const unmetNeeds = (
  can: VideoCapabilities,
  needs: VideoNeeds,
  parts: readonly Need[] = VIDEO_NEEDS,
): readonly Need[] => {
  const isMet: Readonly<Record<Need, boolean>> = {
    mode: can.modes.includes(needs.mode),
    resolution: can.resolutions.includes(needs.resolution),
    seconds: hasSeconds(can, needs, parts),
    aspectRatio: can.aspectRatios.includes(needs.aspectRatio),
    negativePrompt: !needs.negativePrompt || can.negativePrompt,
    seed: !needs.seed || can.seed,
  };
  return parts.filter((need) => !isMet[need]);
};

export const VIDEO_NEEDS = [
  'mode',
  'resolution',
  'seconds',
  'aspectRatio',
  'negativePrompt',
  'seed',
] as const satisfies readonly Need[];

export const unmetImageParts = ({ kind }: Upstream, parts: readonly ImageNeed[]): readonly ImageNeed[] =>
  parts.filter((part) => !isOneOf(IMAGE_TABLE[kind], part));

/** The first needs that no upstream meets together; a single one is met by none. Undefined if all can be met. */
export const findConflict = <Part>(
  needs: readonly Part[],
  isMet: (some: readonly Part[]) => boolean,
): readonly Part[] | undefined => {
  if (isMet(needs)) return undefined;
  // Leaves out needs without which the request would still be refused, so that those in conflict remain.
  return needs.reduceRight((rest, need) => {
    const others = rest.filter((other) => other !== need);
    return others.length === 0 || isMet(others) ? rest : others;
  }, needs);
};

/** Whether the upstream can do all that the request needs, now or later. */
export const canServe = (upstream: Upstream, model: string, needs: Needs): boolean => {
  if (needs.medium === 'image')
    return theirName(upstream, model) !== undefined && unmetImageParts(upstream, needs.parts).length === 0;
  if (!isOneOf(VIDEO_MODELS, model)) return false;
  const can = videoCapabilities(upstream, model);
  return can !== undefined && unmetNeeds(can, needs).length === 0;
};

export const offeredImageParts = (upstreams: readonly Upstream[]): readonly ImageNeed[] =>
  IMAGE_NEEDS.filter((part) =>
    upstreams.some((upstream) => canServe(upstream, IMAGE_MODEL, { medium: 'image', parts: [part] })),
  );

const isOfferedBy = (upstream: Upstream, model: (typeof MODELS)[number]): boolean =>
  (isOneOf(VIDEO_MODELS, model) ? videoCapabilities(upstream, model) : theirName(upstream, model)) !==
  undefined;

export const offeredModels = onceFor((upstreams: readonly Upstream[]): readonly (typeof MODELS)[number][] =>
  MODELS.filter((model) => upstreams.some((upstream) => isOfferedBy(upstream, model))),
);

/** The video models that an error names: those that are offered, or all if none is. */
export const namedVideoModels = (upstreams: readonly Upstream[]): readonly VideoModel[] => {
  const offered = VIDEO_MODELS.filter((model) => upstreams.some((upstream) => isOfferedBy(upstream, model)));
  return offered.length === 0 ? VIDEO_MODELS : offered;
};

/** Whether the upstreams can serve every request that the service accepts: one of them, for each model. */
export const offersEverything = (upstreams: readonly Upstream[]): boolean =>
  VIDEO_MODELS.every((model) => {
    // The document says nothing about the durations of this mode.
    const toText = (can: VideoCapabilities | undefined) =>
      JSON.stringify({ ...can, lastFrameSeconds: undefined });
    const all = toText(narrowAll(modelCapabilities(model), {}));
    return upstreams.some((upstream) => toText(videoCapabilities(upstream, model)) === all);
  }) &&
  upstreams.some((upstream) => canServe(upstream, IMAGE_MODEL, { medium: 'image', parts: IMAGE_NEEDS }));

export const modelNotOffered = (model: string, offered: readonly string[]): string =>
  `This deployment does not offer ${model}; it offers ${listed(offered)}.`;

/** The error for a model that no upstream offers; undefined if one does. */
export const refuseModel = (upstreams: readonly Upstream[], model: string): DomainError | undefined => {
  const offered = offeredModels(upstreams);
  return isOneOf(offered, model)
    ? undefined
    : new DomainError('model_not_found', modelNotOffered(model, offered), { param: 'model' });
};
