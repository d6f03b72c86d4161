import { ORPHAN_AGE } from '../../billing/domain/limits.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { derivedFileId } from '../../platform/domain/ids.ts';
import type { GivenImageRequest, ImageRequest } from '../../upstream/domain/image-request.ts';
import {
  claimId,
  fromResult,
  type ImageClaim,
  type ImageClaims,
  type ImageResult,
  type MadeImage,
  toFailure,
  toFingerprint,
} from '../domain/kept-image.ts';
import {
  type ImageKeeping,
  type ImageOrder,
  type ImageService,
  ignoreUnread,
  type StartedImages,
  startImages,
} from './generate-image.ts';

export type ImagesOrder = Omit<ImageOrder, 'request' | 'indexes' | 'claim'> & {
  readonly request: GivenImageRequest;
  /** Replaces the files that the request refers to with their bytes. */
  readonly load: (request: GivenImageRequest) => Promise<ImageRequest>;
  readonly count: number;
  readonly idempotencyKey?: string | undefined;
  /** Instead of the claim that follows from the key. */
  readonly claiming?: Claiming | undefined;
};

export type Claiming = { readonly id: string; readonly claims: ImageClaims };

/** By this age, the request that works on a claim has ended. */
const CLAIM_AGE = ORPHAN_AGE.images;

const positions = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Starts a request for images. With a claim, a repeated request gets the images of the first one. */
export const orderImages = async (service: ImageService, order: ImagesOrder): Promise<OrderedImages> => {
  const { keeping } = service;
  const { load, request, count } = order;
  const claiming = keeping && (order.claiming ?? keyClaiming(keeping, order));
  if (keeping !== undefined && claiming !== undefined)
    return startOnce(service, { ...keeping, claims: claiming.claims }, { ...order, claiming });
  return startImages(service, { ...order, request: await load(request), indexes: positions(count) });
};

const keyClaiming = (
  { claims }: ImageKeeping,
  { caller, idempotencyKey }: ImagesOrder,
): Claiming | undefined =>
  idempotencyKey === undefined ? undefined : { id: claimId(caller.account, idempotencyKey), claims };

/** The claim is that of the first request. */
type OrderedImages = StartedImages & { readonly claim?: ImageClaim };
type ClaimedOrder = ImagesOrder & { readonly claiming: Claiming };

const newClaim = (
  { caller, requestId, request, count, conversion, claiming }: ClaimedOrder,
  { retentionMs }: ImageKeeping,
  now: number,
): ImageClaim => ({
  account: caller.account,
  id: claiming.id,
  fingerprint: toFingerprint(request, count, conversion),
  requestId,
  count,
  createdAt: now,
  at: now,
  expiresAt: now + retentionMs,
  results: new Map(),
});

const reused = (reason: string): DomainError =>
  new DomainError('idempotency_key_reused', `${reason}; use a new key for a new request.`);

const inProgress = (): DomainError =>
  new DomainError(
    'request_in_progress',
    'A request with the same Idempotency-Key is in progress. Try again when it has ended: you then get its images.',
  );

const startOnce = async (
  service: ImageService,
  keeping: ImageKeeping,
  order: ClaimedOrder,
): Promise<OrderedImages> => {
  const now = service.now();
  const claim = newClaim(order, keeping, now);
  const earlier = await keeping.claims.add(claim, now);
  if (earlier === undefined) return startClaimed(service, keeping, order, claim);
  if (earlier.fingerprint !== claim.fingerprint)
    throw reused('This Idempotency-Key was used with a different request');
  if (earlier.results.size === earlier.count)
    return { images: repeat(keeping, earlier), rateLimit: undefined, claim: earlier };
  if (now < earlier.at + CLAIM_AGE || !(await keeping.claims.renew(earlier, now))) throw inProgress();
  return startClaimed(service, keeping, order, { ...earlier, at: now });
};

/** Makes the images that have no result: all of them, or those that a request left when it died. */
const startClaimed = async (
  service: ImageService,
  keeping: ImageKeeping,
  order: ClaimedOrder,
  claim: ImageClaim,
): Promise<OrderedImages> => {
  const indexes = positions(claim.count).filter((index) => !claim.results.has(index));
  const starting = order
    .load(order.request)
    .then((request) => startImages(service, { ...order, request, indexes, claim }));
  const started = await starting.catch(async (error: unknown) => {
    await endClaim(service, claim, () => keeping.claims.release(claim));
    throw error;
  });
  const ended = Promise.allSettled(started.images).then((outcomes) =>
    endClaim(service, claim, () => saveOutcomes(keeping, claim, indexes, outcomes)),
  );
  // A client that learns of a failure may repeat the request at once, so the claim must have ended by then.
  const made = started.images.map(async (making) => {
    const [outcome] = await Promise.allSettled([making]);
    if (outcome.status === 'rejected') await ended;
    return making;
  });
  const images = positions(claim.count).map(
    (index) => made[indexes.indexOf(index)] ?? repeatOne(keeping, claim, index),
  );
  ignoreUnread(images);
  return { images, rateLimit: started.rateLimit, claim };
};

/** Images have saved their own results, together with their charges. */
const saveOutcomes = async (
  { claims }: ImageKeeping,
  claim: ImageClaim,
  indexes: readonly number[],
  outcomes: readonly PromiseSettledResult<MadeImage>[],
): Promise<void> => {
  const failures = new Map<number, ImageResult>();
  let canRepeat = false;
  for (const [position, outcome] of outcomes.entries())
    if (outcome.status === 'rejected') {
      if (isTemporary(outcome.reason)) canRepeat = true;
      else failures.set(indexes[position] ?? 0, toFailure(outcome.reason));
    }
  // A request that made no image can be repeated.
  if (failures.size === claim.count) return claims.release(claim);
  if (failures.size > 0) await claims.saveFailures(claim, failures);
  if (canRepeat) await claims.leave(claim);
};

/** Such as an image whose charge could not be recorded: the next request with the same key makes it again. */
const isTemporary = (error: unknown): boolean => error instanceof DomainError && error.code === 'overloaded';

const endClaim = async (
  { logger }: ImageService,
  { account, requestId }: ImageClaim,
  end: () => Promise<void>,
): Promise<void> => {
  try {
    await end();
  } catch (error) {
    // The next request with the same key ends it, when the claim is old enough.
    logger.error('image claim not ended', error, { account, requestId });
  }
};

/** The images and failures of an earlier request. */
const repeat = (keeping: ImageKeeping, claim: ImageClaim): Promise<MadeImage>[] => {
  const images = positions(claim.count).map((index) => repeatOne(keeping, claim, index));
  ignoreUnread(images);
  return images;
};

export const repeatOne = async (
  { files }: Pick<ImageKeeping, 'files'>,
  claim: ImageClaim,
  index: number,
): Promise<MadeImage> => {
  const result = claim.results.get(index);
  if (result === undefined) throw new Error(`image ${index} of ${claim.requestId} has no result`);
  if (result.outcome === 'failed') throw new DomainError(result.code, result.message);
  const id = derivedFileId(claim.createdAt, claim.requestId, index);
  const file = await files.openFile({ account: claim.account, id });
  if (file === undefined) throw reused('The image that was generated with this Idempotency-Key is deleted');
  return fromResult(claim, index, await file.read());
};

type Outcomes<Image> = {
  readonly made: readonly [Image, ...Image[]];
  readonly failures: readonly { readonly index: number; readonly error: unknown }[];
};

/** Waits for all images. Throws the first error if there is no image. */
export const collectImages = async <Image>(images: readonly Promise<Image>[]): Promise<Outcomes<Image>> => {
  const outcomes = await Promise.allSettled(images);
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failures = outcomes.flatMap((outcome, index): Outcomes<Image>['failures'] =>
    outcome.status === 'rejected' ? [{ index, error: outcome.reason }] : [],
  );
  const [first, ...others] = made;
  if (first === undefined) throw failures[0]?.error;
  return { made: [first, ...others], failures };
};
