import {
  MODELS,
  VIDEO_MODELS,
  type VideoCapabilities,
  type VideoModel,
  videoModelEntry,
} from '../../catalogue/domain/models.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { onceFor } from '../../platform/domain/once-for.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import type { Narrowed } from '../kinds/declaration.ts';
import { declarationFor, type Upstream } from '../kinds/kinds.ts';
import { type ImageNeed, modelNotOffered, type Needs, narrow, unmetNeeds, withLastFrames } from './needs.ts';
import { upstreamModelName } from './upstreams.ts';

/** A request goes only to upstreams that can do all of it; one that would silently ignore an option counts as unable. */

const narrowAll = (can: VideoCapabilities, limits: Narrowed): VideoCapabilities => ({
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

const findCapabilities = (upstream: Upstream, model: VideoModel): VideoCapabilities | undefined => {
  const name = upstreamModelName(upstream, model);
  if (name === undefined) return undefined;
  const kind = declarationFor(upstream);
  const can = [
    kind.narrowed(upstream, name),
    kind.models(upstream)[model]?.narrowed ?? {},
    upstream.offers ?? {},
  ].reduce(narrowAll, modelCapabilities(model));
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

export const unmetImageParts = (upstream: Upstream, parts: readonly ImageNeed[]): readonly ImageNeed[] =>
  parts.filter((part) => !declarationFor(upstream).imageParts.includes(part));

/** Whether the upstream can do all that the request needs, now or later. */
export const canServe = (upstream: Upstream, model: string, needs: Needs): boolean => {
  if (needs.medium === 'image')
    return (
      upstreamModelName(upstream, model) !== undefined && unmetImageParts(upstream, needs.parts).length === 0
    );
  if (!isOneOf(VIDEO_MODELS, model)) return false;
  const can = videoCapabilities(upstream, model);
  return can !== undefined && unmetNeeds(can, needs).length === 0;
};

const isOfferedBy = (upstream: Upstream, model: (typeof MODELS)[number]): boolean =>
  (isOneOf(VIDEO_MODELS, model) ? videoCapabilities(upstream, model) : upstreamModelName(upstream, model)) !==
  undefined;

export const offeredModels = onceFor((upstreams: readonly Upstream[]): readonly (typeof MODELS)[number][] =>
  MODELS.filter((model) => upstreams.some((upstream) => isOfferedBy(upstream, model))),
);

/** The video models that an error names: those that are offered, or all if none is. */
export const namedVideoModels = (upstreams: readonly Upstream[]): readonly VideoModel[] => {
  const offered = VIDEO_MODELS.filter((model) => upstreams.some((upstream) => isOfferedBy(upstream, model)));
  return offered.length === 0 ? VIDEO_MODELS : offered;
};

/** The error for a model that no upstream offers; undefined if one does. */
export const refuseModel = (upstreams: readonly Upstream[], model: string): DomainError | undefined => {
  const offered = offeredModels(upstreams);
  return isOneOf(offered, model)
    ? undefined
    : new DomainError('model_not_found', modelNotOffered(model, offered), { param: 'model' });
};
