import {
  ANY_VIDEO_MODEL,
  ASPECT_RATIOS,
  DURATIONS,
  pixelSizes,
  RESOLUTIONS,
  type VideoMode,
  type VideoModel,
} from '../catalogue/domain/models.ts';
import { isOneOf } from '../platform/domain/text.ts';
import type { VideoNeeds } from '../upstream/domain/needs.ts';
import type { Upstream } from '../upstream/domain/upstreams.ts';
import { capabilitySets, findRefusal } from '../videos/domain/offered.ts';
import { isNode, toNode } from './json-node.ts';
import { isAccepted, type Rules } from './offered-fields.ts';

/** The examples of create requests that a deployment can serve. */

type Options = ReadonlyMap<string, unknown>;

const listOptions = (value: unknown, rules: Rules): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.flatMap((item) => listOptions(item, rules));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    rules.has(name) ? [[name, field] as const] : listOptions(field, rules),
  );
};

/** Undefined if the example uses an option that is not offered. */
export const servedImage = (example: unknown, rules: Rules): unknown =>
  listOptions(example, rules).every(([name, value]) => isAccepted(value, rules.get(name)))
    ? example
    : undefined;

const readMode = (options: Options): VideoMode => {
  const hasAny = (...names: readonly string[]) => names.some((name) => options.has(name));
  if (hasAny('reference_images', 'referenceImages')) return 'references';
  if (hasAny('last_frame', 'lastFrame')) return 'first_and_last_frame';
  return hasAny('input_reference', 'image') ? 'first_frame' : 'text';
};

const readNeeds = (options: Options): VideoNeeds => {
  const seconds = options.get('durationSeconds') ?? options.get('duration') ?? options.get('seconds');
  const { defaults } = ANY_VIDEO_MODEL;
  const format = pixelSizes(ANY_VIDEO_MODEL).get(String(options.get('size'))) ?? defaults;
  return {
    mode: readMode(options),
    seconds: DURATIONS.find((duration) => duration === Number(seconds)) ?? defaults.seconds,
    resolution: RESOLUTIONS.find((name) => name === options.get('resolution')) ?? format.resolution,
    aspectRatio: ASPECT_RATIOS.find((ratio) => ratio === options.get('aspectRatio')) ?? format.aspectRatio,
    negativePrompt: options.has('negativePrompt'),
    seed: options.has('seed'),
  };
};

type VideoOffer = {
  readonly upstreams: readonly Upstream[];
  readonly videoModels: readonly VideoModel[];
  readonly rules: Rules;
};

/** The example, with another model if only that one can make the video; undefined if none can. */
export const servedVideo = (example: unknown, { upstreams, videoModels, rules }: VideoOffer): unknown => {
  const needs = readNeeds(new Map(listOptions(example, rules)));
  const able = videoModels.filter(
    (model) => findRefusal(model, capabilitySets(upstreams, model), needs) === undefined,
  );
  const [first] = able;
  const { model } = toNode(example);
  if (first === undefined) return undefined;
  // In the native format, the model is in the path.
  return model === undefined || isOneOf(able, model) ? example : { ...toNode(example), model: first };
};
