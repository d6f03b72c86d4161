import { IMAGE_SIZES, type ImageSize } from '../../catalogue/domain/image-sizes.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { joinWords } from '../../platform/domain/text.ts';
import { canServe, refuseModel, unmetImageParts } from '../../upstream/domain/capabilities.ts';
import { type ImageRequest, imageNeeds } from '../../upstream/domain/image-request.ts';
import { findConflict, type ImageNeed } from '../../upstream/domain/needs.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { upstreamModelName } from '../../upstream/domain/upstreams.ts';

/** The images that the upstreams of a deployment can make. Other requests are refused before anything is spent. */

/** The sizes that at least one upstream can make; none if there is no upstream for images. */
export const offeredImageSizes = (upstreams: readonly Upstream[]): readonly ImageSize[] =>
  IMAGE_SIZES.filter((size) => {
    const parts = size === '512' ? (['size512'] as const) : [];
    return upstreams.some((upstream) => canServe(upstream, IMAGE_MODEL, { medium: 'image', parts }));
  });

export const sizeNotOffered = (size: ImageSize, offered: readonly ImageSize[]): string =>
  `This deployment does not offer size ${size} with ${IMAGE_MODEL}. It offers ${listed(offered)}.`;

type Words = { readonly name: string; readonly pronoun: 'it' | 'them' };

/** As parts of a sentence. */
const WORDS: Readonly<Record<ImageNeed, Words>> = {
  conversation: { name: 'a conversation of several turns', pronoun: 'it' },
  instruction: { name: 'a system instruction', pronoun: 'it' },
  sampling: { name: 'sampling options (seed, temperature, topP, maximum tokens)', pronoun: 'them' },
  safety: { name: 'safety settings', pronoun: 'them' },
  size512: { name: 'size 512', pronoun: 'it' },
};

const describeRefusal = (upstreams: readonly Upstream[], conflict: readonly ImageNeed[]): string => {
  const words = conflict.map((part) => WORDS[part]);
  const names = joinWords(
    words.map(({ name }) => name),
    'and',
  );
  if (conflict.length > 1)
    return `This deployment offers ${names} with ${IMAGE_MODEL}, but not in one image. Leave one of them out.`;
  if (conflict.includes('size512')) return sizeNotOffered('512', offeredImageSizes(upstreams));
  const pronouns = words.map(({ pronoun }) => pronoun).join();
  return `This deployment does not offer ${names} with ${IMAGE_MODEL}. Leave ${pronouns} out.`;
};

/** The error for a request that no upstream can serve; undefined if one can. */
export const refuseUnofferedImage = (
  upstreams: readonly Upstream[],
  request: ImageRequest<unknown>,
): DomainError | undefined => {
  const unknown = refuseModel(upstreams, request.model);
  if (unknown !== undefined) return unknown;
  const { parts } = imageNeeds(request);
  const able = upstreams.filter((upstream) => upstreamModelName(upstream, request.model) !== undefined);
  const conflict = findConflict(parts, (some) =>
    able.some((upstream) => unmetImageParts(upstream, some).length === 0),
  );
  return conflict && new DomainError('not_offered', describeRefusal(upstreams, conflict));
};
