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
import { toImageError, UpstreamError } from '../../upstream/domain/upstream.ts';
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
  /** For the whole request, including the second attempt. */
  readonly timeoutMs: number;
  readonly retryDelayMs: number;
};

export type ImageOrder = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly request: ImageRequest;
};

/** Without a response, the upstream may have made the image, and a second attempt would be charged again. */
const canRetry = (error: unknown): boolean =>
  error instanceof UpstreamError && error.row.image === 'retried' && error.httpStatus !== undefined;

const callGenerator = async (
  { generator, now, timeoutMs, retryDelayMs }: ImageService,
  { request }: ImageOrder,
): Promise<ImageAnswer> => {
  const deadline = now() + timeoutMs;
  const attempt = () => generator.generate(request, { timeoutMs: Math.max(1, deadline - now()) });
  try {
    return await attempt();
  } catch (error) {
    if (!canRetry(error) || now() + retryDelayMs >= deadline) throw error;
    await sleep(retryDelayMs);
    return attempt();
  }
};

const imageSize = ({ config }: ImageRequest): ImageSize => config.imageSize ?? DEFAULT_IMAGE_SIZE;

const recordCharge = async (
  { charges, logger, now, prices }: ImageService,
  { caller, requestId, request }: ImageOrder,
  { tokens }: GeneratedImage,
  reservation: Reservation | undefined,
): Promise<void> => {
  const { account, keyId } = caller;
  const size = imageSize(request);
  const use = { account, keyId, requestId, model: request.model, size, tokens, time: now() };
  const charge = imageChargeRecord(use, prices);
  await charges.record(charge, reservation).catch((error: unknown) => {
    // The upstream has charged for the image, so the client gets it; the operator can add the charge from the log.
    const { tokens: counts, unitPrice, amount, currency, ...fields } = charge;
    const money = { amount: amount ?? undefined, currency: currency ?? undefined };
    logger.error('image charge not recorded', error, { ...fields, ...money, totalTokens: counts.total });
  });
};

const generate = async (service: ImageService, order: ImageOrder, reservation: Reservation | undefined) => {
  const { logger } = service;
  const fields = { requestId: order.requestId, account: order.caller.account, model: order.request.model };
  const answer = await callGenerator(service, order).catch((error: unknown) => {
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
  await recordCharge(service, order, answer, reservation);
  return answer;
};

/** A failed image costs nothing. If the release fails, the sweeper repeats it. */
const release = async ({ limiter, logger }: ImageService, reservation: Reservation): Promise<void> => {
  const { account, id } = reservation;
  await limiter.accounts.release(reservation).catch((error: unknown) => {
    logger.error('reservation not released', error, { account, reservation: id });
  });
};

type StartedImage = {
  readonly image: Promise<GeneratedImage>;
  readonly rateLimit: RateLimit | undefined;
};

/** Rejects a request over a limit at once; the image itself can take minutes. */
export const startImage = async (service: ImageService, order: ImageOrder): Promise<StartedImage> => {
  const { caller, requestId, request } = order;
  const admission = await reserve(service.limiter, caller, {
    kind: 'images',
    taskId: requestId,
    what: `an image of ${imageSize(request)}`,
    amount: imagePrice(imageSize(request), service.prices),
  });
  const image = generate(service, order, admission?.reservation).catch(async (error: unknown) => {
    if (admission !== undefined) await release(service, admission.reservation);
    throw error;
  });
  return { image, rateLimit: admission?.rateLimit };
};

export const generateImage = async (service: ImageService, order: ImageOrder): Promise<GeneratedImage> =>
  (await startImage(service, order)).image;
