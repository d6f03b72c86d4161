import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import type { Fields } from '../domain/messages.ts';

/** A model with its options, as in the REST list, and its prices. */
export const describeModel = (model: string, capabilities: Fields, prices: Prices) => {
  const isImage = model === IMAGE_MODEL;
  const perSecond = prices.videoSecond[model];
  return {
    id: model,
    kind: isImage ? 'image' : 'video',
    options: capabilities,
    ...(isImage ? { price_per_image: prices.image } : {}),
    ...(perSecond === undefined ? {} : { price_per_second: perSecond }),
  };
};
