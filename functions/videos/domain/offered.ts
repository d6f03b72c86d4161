import type { VideoCapabilities } from '../../catalogue/domain/models.ts';
import {
  describeSeconds,
  MODE_NAMES,
  type VideoMode,
  type VideoModel,
} from '../../catalogue/domain/models.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { joinWords } from '../../platform/domain/text.ts';
import { canServe, refuseModel, videoCapabilities } from '../../upstream/domain/capabilities.ts';
import {
  combineCapabilities,
  findConflict,
  type Needs,
  unmetNeeds,
  VIDEO_NEEDS,
  type VideoNeeds,
} from '../../upstream/domain/needs.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { upstreamModelName } from '../../upstream/domain/upstreams.ts';
import type { GenerationRequest } from '../../upstream/domain/video-generator.ts';
import type { FieldNames, VideoRequest } from './video-request.ts';

/** What the upstreams of a deployment can do. A request that none of them can serve is refused before anything is spent. */

type Options = Omit<GenerationRequest, 'model' | 'prompt'>;

export const videoNeeds = ({ mode, seconds, resolution, aspectRatio, negativePrompt, seed }: Options) =>
  ({
    medium: 'video',
    mode,
    seconds,
    resolution,
    aspectRatio,
    negativePrompt: negativePrompt !== undefined,
    seed: seed !== undefined,
  }) as const satisfies Needs;

const MODE_FIELDS = {
  text: 'prompt',
  first_frame: 'input_reference',
  first_and_last_frame: 'last_frame',
  references: 'reference_images',
} as const satisfies Readonly<Record<VideoMode, string>>;

type Need = keyof VideoNeeds;

type Option = {
  readonly field: (needs: VideoNeeds) => Parameters<FieldNames>[0];
  /** As part of a sentence. */
  readonly describe: (needs: VideoNeeds) => string;
  /** The accepted values; empty if the option is not accepted at all. */
  readonly accepted: (can: VideoCapabilities) => readonly (string | number)[];
};

const OPTIONS: Readonly<Record<Need, Option>> = {
  mode: {
    field: ({ mode }) => MODE_FIELDS[mode],
    describe: ({ mode }) => MODE_NAMES[mode],
    accepted: ({ modes }) => modes.map((mode) => MODE_NAMES[mode]),
  },
  resolution: {
    field: () => 'resolution',
    describe: ({ resolution }) => `resolution ${resolution}`,
    accepted: ({ resolutions }) => resolutions,
  },
  seconds: {
    field: () => 'seconds',
    describe: ({ seconds }) => `${seconds} seconds`,
    accepted: ({ seconds }) => seconds,
  },
  aspectRatio: {
    field: () => 'aspectRatio',
    describe: ({ aspectRatio }) => `aspect ratio ${aspectRatio}`,
    accepted: ({ aspectRatios }) => aspectRatios,
  },
  negativePrompt: { field: () => 'negativePrompt', describe: () => 'a negative prompt', accepted: () => [] },
  seed: { field: () => 'seed', describe: () => 'a seed', accepted: () => [] },
};

export type Refusal = {
  /** Options that no upstream offers together; a single one is not offered at all. */
  readonly conflict: readonly Need[];
  /** The last of them, which the client is told to change. */
  readonly need: Need;
  readonly message: string;
};

const describeRefusal = (
  model: string,
  sets: readonly VideoCapabilities[],
  needs: VideoNeeds,
  conflict: readonly Need[],
): string => {
  const options = joinWords(
    conflict.map((need) => OPTIONS[need].describe(needs)),
    'and',
  );
  const [first, second, ...others] = conflict;
  if (first === 'mode' && second === 'seconds' && others.length === 0) {
    const { lastFrameSeconds = [] } = combineCapabilities(sets);
    return `With ${MODE_NAMES[needs.mode]}, this deployment offers only ${describeSeconds(lastFrameSeconds, 'or')} seconds with ${model}, but ${needs.seconds} were requested.`;
  }
  if (conflict.length > 1)
    return `This deployment offers ${options} with ${model}, but not in one video. Change one of them.`;
  const accepted = conflict.flatMap((need) => OPTIONS[need].accepted(combineCapabilities(sets)));
  const advice = accepted.length === 0 ? 'Leave it out.' : `It offers ${listed(accepted)}.`;
  return `This deployment does not offer ${options} with ${model}. ${advice}`;
};

/** The reason why no upstream can serve these parts of the request; each set has the capabilities of one. */
export const findRefusal = (
  model: string,
  sets: readonly VideoCapabilities[],
  needs: VideoNeeds,
  parts: readonly Need[] = VIDEO_NEEDS,
): Refusal | undefined => {
  const conflict = findConflict(parts, (some) =>
    sets.some((can) => unmetNeeds(can, needs, some).length === 0),
  );
  const need = conflict?.at(-1);
  return need && conflict && { conflict, need, message: describeRefusal(model, sets, needs, conflict) };
};

export const capabilitySets = (
  upstreams: readonly Upstream[],
  model: VideoModel,
): readonly VideoCapabilities[] => upstreams.flatMap((upstream) => videoCapabilities(upstream, model) ?? []);

/** The models that upstreams have retired; see `retiredModel`. */
export type RetiredModels = ReadonlySet<string>;

/** Names a model by the upstream's own name for it, so that another name in the settings is offered at once. */
export const retiredModel = (upstream: Upstream, model: string): string =>
  `${upstream.name}/${upstreamModelName(upstream, model) ?? model}`;

/** The error for a request that no upstream can serve; undefined if one can. */
export const refuseUnoffered = (
  upstreams: readonly Upstream[],
  request: VideoRequest,
  nameField: FieldNames,
): DomainError | undefined => {
  const { model } = request;
  const unknown = refuseModel(upstreams, model);
  if (unknown !== undefined) return unknown;
  const needs = videoNeeds(request);
  const refusal = findRefusal(model, capabilitySets(upstreams, model), needs);
  return (
    refusal &&
    new DomainError('not_offered', refusal.message, { param: nameField(OPTIONS[refusal.need].field(needs)) })
  );
};

/** The error for a request whose model all upstreams that could serve it have retired. */
export const refuseRetired = (
  upstreams: readonly Upstream[],
  request: VideoRequest,
  retired: RetiredModels,
): DomainError | undefined => {
  if (retired.size === 0) return undefined;
  const { model } = request;
  const needs = videoNeeds(request);
  const capable = upstreams.filter((upstream) => canServe(upstream, model, needs));
  if (!capable.every((upstream) => retired.has(retiredModel(upstream, model)))) return undefined;
  return new DomainError(
    'model_unavailable',
    `${model} is not available: the generator no longer offers it. The operator of this service has to choose another one.`,
    { param: 'model' },
  );
};
