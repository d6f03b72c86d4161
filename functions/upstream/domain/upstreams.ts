import { MODELS } from '../../catalogue/domain/models.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { declarationFor, type Upstream } from '../kinds/kinds.ts';

export type { Upstream } from '../kinds/kinds.ts';

/** Stored with a task, so that its operation is found even after the upstream has left the settings. */
export type UpstreamReference = {
  readonly name: string;
  /** The upstream as JSON, with what its operations need. */
  readonly definition?: string | undefined;
  /** The upstream's model, if it is another one than the task names. */
  readonly substitute?: string | undefined;
};

/** The functions of the generators of all upstreams: the last argument is the one that a call is for. */
export type ForUpstreams<Generator> = {
  readonly [Name in keyof Generator]: NonNullable<Generator[Name]> extends (
    ...given: infer Given
  ) => infer Answer
    ? (...given: [...Given, upstream: UpstreamReference]) => Answer
    : never;
};

export const credentialName = ({ name, credential }: Upstream): string => credential ?? name;

/** Whether all submits with the same key start one operation. */
export const isIdempotent = (upstream: Upstream): boolean =>
  declarationFor(upstream).isIdempotent?.(upstream) === true;

/** The upstream's name of one of our models; undefined if it does not offer the model. */
export const upstreamModelName = (upstream: Upstream, model: string): string | undefined => {
  const given = upstream.models[model];
  if (given !== undefined || !isOneOf(MODELS, model)) return given ?? undefined;
  return declarationFor(upstream).models(upstream)[model]?.name;
};

/** The upstream's model that answers under the name of ours although it is another one, by the operator's choice. */
export const substituteModel = (upstream: Upstream, model: string): string | undefined => {
  const { hasSubstitutes, models } = declarationFor(upstream);
  return hasSubstitutes === true && !Object.hasOwn(models(upstream), model)
    ? upstreamModelName(upstream, model)
    : undefined;
};

export const isLimited = ({ submitsPerMinute, videosAtOnce }: Upstream): boolean =>
  submitsPerMinute !== undefined || videosAtOnce !== undefined;

/** By priority; in random order among equals, the heavier ones more often first. */
export const inOrder = (upstreams: readonly Upstream[], random: () => number): readonly Upstream[] =>
  upstreams
    .map((upstream) => ({ upstream, draw: -Math.log(1 - random()) / upstream.weight }))
    .toSorted((one, other) => one.upstream.priority - other.upstream.priority || one.draw - other.draw)
    .map(({ upstream }) => upstream);
