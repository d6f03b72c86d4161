import type { DomainError, RateLimit } from '../../platform/domain/errors.ts';
import type { GeneratedImage } from '../domain/image-request.ts';
import { type ImageOrder, type ImageService, startImage } from './generate-image.ts';

type Several = {
  readonly outcomes: readonly (GeneratedImage | DomainError)[];
  readonly rateLimit: RateLimit | undefined;
};

/** Makes several images of one request at once; each is reserved and charged on its own. */
export const generateSeveral = async (
  service: ImageService,
  order: ImageOrder,
  count: number,
  toDomainError: (error: unknown) => DomainError,
): Promise<Several> => {
  // If the first is refused, nothing is made.
  const first = await startImage(service, order);
  const others = Array.from({ length: count - 1 }, async (_, position) => {
    const started = await startImage(service, { ...order, requestId: `${order.requestId}_${position + 1}` });
    return started.image;
  });
  const outcomes = await Promise.all([first.image, ...others].map((image) => image.catch(toDomainError)));
  return { outcomes, rateLimit: first.rateLimit };
};
