import {
  ASPECT_RATIOS,
  type AspectRatio,
  DURATIONS,
  RESOLUTIONS,
  type Resolution,
  VIDEO_MODES,
  type VideoCapabilities,
  type VideoMode,
} from '../../catalogue/domain/models.ts';
import { listed } from '../../platform/domain/errors.ts';

/** What a request needs, and whether capabilities meet it: the rules that the console shares with the service. */

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

/** Undefined narrows nothing. */
export const narrow = <Value>(
  all: readonly Value[],
  offered: readonly Value[] | undefined,
): readonly Value[] => (offered === undefined ? all : all.filter((value) => offered.includes(value)));

export const withLastFrames = (
  seconds: readonly number[] | undefined,
): Pick<VideoCapabilities, 'lastFrameSeconds'> =>
  seconds === undefined ? {} : { lastFrameSeconds: seconds };

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

export const modelNotOffered = (model: string, offered: readonly string[]): string =>
  `This deployment does not offer ${model}; it offers ${listed(offered)}.`;
