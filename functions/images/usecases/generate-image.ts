import { setTimeout as sleep } from 'node:timers/promises';
import { type ImageChargeRecord, imageChargeRecord, imagePrice } from '../../billing/domain/charges.ts';
import type { Reservation } from '../../billing/domain/limits.ts';
import { type Limiter, reserve } from '../../billing/domain/reserve.ts';
import type { ImageConversion, ImageConverter } from '../../catalogue/domain/image-conversion.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import type { FileReader, FileStore } from '../../files/domain/files.ts';
import type { Caller } from '../../identity/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import type { Logger } from '../../platform/domain/log-events.ts';
import { toImageError, UpstreamError } from '../../upstream/domain/faults.ts';
import { chargedSize, type ImageRequest, withVariation } from '../../upstream/domain/image-request.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import type { ConvertedImage } from '../domain/content-credentials.ts';
import {
  type ImageCharges,
  type ImageClaim,
  type ImageClaims,
  type ImageResult,
  type KeptFile,
  type KeptImage,
  type MadeImage,
  toFailure,
  toOutputFile,
  toResult,
} from '../domain/kept-image.ts';
import { refuseUnofferedImage } from '../domain/offered.ts';
import { callGenerators, type GeneratorAccess } from './call-generators.ts';
import { convertGenerated } from './convert-generated.ts';

export type ImageKeeping = {
  readonly store: Pick<FileStore, 'put'>;
  readonly files: FileReader;
  readonly claims: ImageClaims;
  readonly retentionMs: number;
};

export type ImageService = GeneratorAccess & {
  readonly upstreams: readonly Upstream[];
  readonly charges: ImageCharges;
  readonly limiter: Limiter;
  /** Undefined if images are not stored. */
  readonly keeping: ImageKeeping | undefined;
  /** Undefined in functions whose images are never converted. */
  readonly convert?: ImageConverter | undefined;
  readonly logger: Logger;
  readonly prices: Prices;
};

export type ImageOrder = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: ImageRequest;
  /** Undefined to return the image as the upstream made it. */
  readonly conversion?: ImageConversion | undefined;
  /** The positions of the images to make. */
  readonly indexes: readonly number[];
  /** Present if the request has an `Idempotency-Key`. */
  readonly claim?: ImageClaim | undefined;
};

type OneImage = Omit<ImageOrder, 'indexes'> & {
  readonly index: number;
  /** Charges of one request change the same items, and would conflict. */
  readonly recordInTurn: InTurn;
  readonly startedAt: number;
};

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** One after another, even if one fails. */
const oneByOne = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
};

type Settlement = {
  readonly image: ConvertedImage;
  readonly upstream: string;
  readonly reservation: Reservation | undefined;
  /** What a repeated request gets. */
  readonly result: ImageResult;
};

/** Stores the bytes. The image becomes a file together with its charge. */
const keepBytes = async (
  { store, retentionMs }: ImageKeeping,
  { requestId, request, claim, index, startedAt }: OneImage,
  { image, result }: Settlement,
  charge: ImageChargeRecord,
): Promise<KeptImage> => {
  const { createdAt } = claim ?? { createdAt: charge.time };
  const bytes = Buffer.from(image.image.base64, 'base64');
  const terms = {
    durationMs: charge.time - startedAt,
    charge,
    requestId: claim?.requestId ?? requestId,
    index,
    createdAt,
    expiresAt: createdAt + retentionMs,
  };
  const file = toOutputFile(terms, request, image, bytes);
  await store.put(file, bytes);
  return { file, result: claim && { claim, index, value: result } };
};

const MAX_SETTLE_TRIES = 3;
const RETRY_AFTER_SECONDS = 5;

/** The upstream has been paid, so the image is given up only after several tries. Each of them may be repeated. */
const insist = async <T>(
  { now, retryDelayMs, timeoutMs }: ImageService,
  startedAt: number,
  work: () => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_SETTLE_TRIES || now() + retryDelayMs >= startedAt + timeoutMs) throw error;
      await sleep(retryDelayMs);
    }
};

const notCharged = (cause: unknown): DomainError =>
  new DomainError(
    'overloaded',
    'The image was generated, but its charge could not be recorded, so it is not returned. Try again.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  );

/** Stores and charges the image: both or neither. An image that is not charged is not returned. */
const settle = async (
  service: ImageService,
  order: OneImage,
  settlement: Settlement,
): Promise<KeptFile | undefined> => {
  const { image, upstream, reservation } = settlement;
  const { charges, keeping, logger, now, prices } = service;
  const { caller, requestId, request, claim, index, startedAt } = order;
  const { account, keyId, personId } = caller;
  const use = {
    account,
    keyId,
    personId,
    requestId: claim?.requestId ?? requestId,
    index,
    model: request.model,
    size: chargedSize(request),
    upstream,
    upstreamCost: image.cost,
    tokens: image.tokens,
    time: now(),
  };
  const charge = imageChargeRecord(use, prices);
  const { tokens, unitPrice, amount, currency, upstreamCost: _, ...fields } = charge;
  const money = { amount: amount ?? undefined, currency: currency ?? undefined };
  const facts = { ...fields, ...money, totalTokens: tokens.total };

  try {
    return await insist(service, startedAt, async () => {
      const kept = keeping && (await keepBytes(keeping, order, settlement, charge));
      await order.recordInTurn(() => charges.record({ ...charge, fileId: kept?.file.id }, reservation, kept));
      return kept?.file;
    });
  } catch (error) {
    logger.error('image charge not recorded', error, facts);
    throw notCharged(error);
  }
};

const generate = async (
  service: ImageService,
  order: OneImage,
  reservation: Reservation | undefined,
): Promise<MadeImage> => {
  const { logger } = service;
  const fields = { requestId: order.requestId, account: order.caller.account, model: order.request.model };
  const { answer, upstream } = await callGenerators(service, order.request).catch((error: unknown) => {
    const failure = error instanceof UpstreamError ? toImageError(logger, error) : error;
    logger.info('image failed', {
      ...fields,
      code: failure instanceof DomainError ? failure.code : 'internal',
    });
    throw failure;
  });
  if (answer.outcome === 'no_image') {
    logger.info('image blocked', fields);
    throw new DomainError('content_blocked', answer.reason);
  }
  logger.info('image made', { ...fields, totalTokens: answer.tokens.total });
  const converting = convertGenerated(service, answer, order.conversion, fields);
  const image = await converting.catch(async (error: unknown) => {
    // The upstream has made the image, so it is stored as it is, and charged.
    await settle(service, order, { image: answer, upstream, reservation, result: toFailure(error) });
    throw error;
  });
  const completedAt = service.now();
  const result = toResult(image, completedAt);
  const file = await settle(service, order, { image, upstream, reservation, result });
  await service.pool.saveCounts();
  return { ...image, file, completedAt };
};

/** A failed image costs nothing. If the release fails, the sweeper repeats it. */
const release = async ({ limiter, logger }: ImageService, reservation: Reservation): Promise<void> => {
  const { account, id } = reservation;
  await limiter.accounts.release(reservation).catch((error: unknown) => {
    logger.error('reservation not released', error, { account, reservation: id });
  });
};

/** Of each image of a request; a repeated request makes new ones. */
const toTaskId = (requestId: string, index: number): string =>
  index === 0 ? requestId : `${requestId}_${index}`;

export type StartedImages = {
  /** In the order of the response. None of them has to be awaited. */
  readonly images: readonly Promise<MadeImage>[];
  readonly rateLimit: RateLimit | undefined;
};

/** Rejects a request over a limit at once, before the first call; the images themselves can take minutes. */
export const startImages = async (service: ImageService, order: ImageOrder): Promise<StartedImages> => {
  const { caller, requestId, request, indexes } = order;
  const refusal = refuseUnofferedImage(service.upstreams, request);
  if (refusal !== undefined) throw refusal;
  const size = chargedSize(request);
  const [taskId = requestId, ...moreTaskIds] = indexes.map((_, position) => toTaskId(requestId, position));
  const admission = await reserve(service.limiter, caller, {
    kind: 'images',
    taskId,
    moreTaskIds,
    what: `an image of ${size}`,
    amount: imagePrice(size, service.prices),
  });
  const reservations = admission === undefined ? [] : [admission.reservation, ...admission.more];
  const recordInTurn = oneByOne();
  const startedAt = service.now();
  const images = indexes.map((index, position) => {
    const reservation = reservations[position];
    const one = { ...order, recordInTurn, startedAt, index, request: withVariation(request, index) };
    return generate(service, one, reservation).catch(async (error: unknown) => {
      if (reservation !== undefined) await release(service, reservation);
      throw error;
    });
  });
  ignoreUnread(images);
  return { images, rateLimit: admission?.rateLimit };
};

/** A stream reads one image after another; without this, the failure of a later one would end the process. */
export const ignoreUnread = (images: readonly Promise<unknown>[]): void => {
  for (const image of images) image.catch(() => {});
};
