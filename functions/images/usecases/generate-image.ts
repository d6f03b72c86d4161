import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ImageChargeRecord,
  imageChargeRecord,
  imagePrice,
  type Prices,
} from '../../accounts/domain/billing.ts';
import type { Reservation } from '../../accounts/domain/limits.ts';
import type { ChargeRepository } from '../../accounts/domain/ports.ts';
import { type Limiter, reserve } from '../../accounts/domain/reserve.ts';
import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError, type RateLimit } from '../../platform/domain/errors.ts';
import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { toImageError, UpstreamError } from '../../upstream/domain/upstream-error.ts';
import {
  DEFAULT_IMAGE_SIZE,
  type GeneratedImage,
  type ImageAnswer,
  type ImageGenerator,
  type ImageRequest,
  type ImageSize,
} from '../domain/image-request.ts';

export type ImageService = {
  readonly generator: ImageGenerator;
  readonly charges: ChargeRepository<ImageChargeRecord>;
  readonly limiter: Limiter;
  readonly logger: Logger;
  readonly now: Clock;
  readonly prices: Prices;
  /** How long a request may take in all, repetition included. */
  readonly timeoutMs: number;
  readonly retryDelayMs: number;
};

type Order = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: ImageRequest;
};

/** An upstream that was never reached has not said that it made no image. */
const maySucceedNow = (error: unknown): boolean =>
  error instanceof UpstreamError && error.row.image === 'retried' && error.httpStatus !== undefined;

const ask = async (
  { generator, now, timeoutMs, retryDelayMs }: ImageService,
  { request }: Order,
): Promise<ImageAnswer> => {
  const deadline = now() + timeoutMs;
  const attempt = () => generator.generate(request, { timeoutMs: Math.max(1, deadline - now()) });
  try {
    return await attempt();
  } catch (error) {
    if (!maySucceedNow(error) || now() + retryDelayMs >= deadline) throw error;
    await sleep(retryDelayMs);
    return attempt();
  }
};

const sizeOf = ({ config }: ImageRequest): ImageSize => config.imageSize ?? DEFAULT_IMAGE_SIZE;

const record = async (
  { charges, logger, now, prices }: ImageService,
  { caller, requestId, request }: Order,
  { tokens }: GeneratedImage,
  reservation: Reservation | undefined,
): Promise<void> => {
  const { account, keyId } = caller;
  const size = sizeOf(request);
  const use = { account, keyId, requestId, model: request.model, size, tokens, time: now() };
  const charge = imageChargeRecord(use, prices);
  await charges.record(charge, reservation).catch((error: unknown) => {
    // The image exists and is paid for: its owner gets it, and the operator can enter the charge from the log.
    const { tokens: counts, unitPrice, amount, currency, ...fields } = charge;
    const money = { amount: amount ?? undefined, currency: currency ?? undefined };
    logger.error('image charge not recorded', error, { ...fields, ...money, totalTokens: counts.total });
  });
};

const make = async (service: ImageService, order: Order, reservation: Reservation | undefined) => {
  const { logger } = service;
  const fields = { requestId: order.requestId, account: order.caller.account, model: order.request.model };
  const answer = await ask(service, order).catch((error: unknown) => {
    const told = error instanceof UpstreamError ? toImageError(logger, error) : error;
    logger.info('image failed', { ...fields, code: told instanceof DomainError ? told.code : 'internal' });
    throw told;
  });
  if (answer.outcome === 'no_image') {
    logger.info('image blocked', fields);
    throw new DomainError('content_blocked', answer.reason);
  }
  logger.info('image made', { ...fields, totalTokens: answer.tokens.total });
  await record(service, order, answer, reservation);
  return answer;
};

/** What no image came of costs nothing; the sweeper releases what cannot be released now. */
const giveBack = async ({ limiter, logger }: ImageService, reservation: Reservation): Promise<void> => {
  const { account, id } = reservation;
  await limiter.accounts.release(reservation).catch((error: unknown) => {
    logger.error('reservation not released', error, { account, reservation: id });
  });
};

/** An image that is within its account's limits and is being made. */
export type StartedImage = {
  readonly image: Promise<GeneratedImage>;
  readonly rateLimit: RateLimit | undefined;
};

/** Refuses what is over a limit at once; the image itself can take minutes. */
export const startImage = async (service: ImageService, order: Order): Promise<StartedImage> => {
  const { caller, requestId, request } = order;
  const admission = await reserve(service.limiter, caller, {
    kind: 'images',
    taskId: requestId,
    what: `an image of ${sizeOf(request)}`,
    amount: imagePrice(sizeOf(request), service.prices),
  });
  const image = make(service, order, admission?.reservation).catch(async (error: unknown) => {
    if (admission !== undefined) await giveBack(service, admission.reservation);
    throw error;
  });
  return { image, rateLimit: admission?.rateLimit };
};

/** One image, recorded for its account; or an error that says why there is none, and no record. */
export const generateImage = async (service: ImageService, order: Order): Promise<GeneratedImage> =>
  (await startImage(service, order)).image;
