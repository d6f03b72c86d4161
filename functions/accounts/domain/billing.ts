import type { ImageSize, TokenCounts } from '../../images/domain/image-request.ts';
import { times } from '../../platform/domain/money.ts';
import { type Charge, storageName, type Task } from '../../videos/domain/task.ts';

/** Prices as decimal strings, so that no amount is ever rounded by binary arithmetic. */
export type Prices = {
  readonly currency: string;
  /** Price of one second of video, by model. */
  readonly videoSecond: Readonly<Record<string, string>>;
  /** Price of one image, by image size. */
  readonly image: Readonly<Record<string, string>>;
};

/** Whether anything has a price; where nothing has, money cannot be limited. */
export const hasPrices = ({ videoSecond, image }: Omit<Prices, 'currency'>): boolean =>
  Object.keys(videoSecond).length + Object.keys(image).length > 0;

export type ChargeRecord = Charge & {
  readonly kind: 'video';
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  readonly taskId: string;
  readonly model: string;
  readonly resolution: string;
  readonly time: number;
};

/** Images have no task: the record is all that is kept of one. */
export type ImageChargeRecord = {
  readonly kind: 'image';
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  readonly model: string;
  readonly size: ImageSize;
  readonly images: number;
  readonly tokens: TokenCounts;
  readonly unitPrice: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly time: number;
};

/** A record as it is listed; one that an operator entered by hand has no token counts. */
export type ListedCharge = ChargeRecord | Omit<ImageChargeRecord, 'tokens'>;

// "Billed per second of generated video"; resolution and aspect ratio never change the price.
export const chargeFor = (model: string, seconds: number, prices: Prices): Charge => {
  const unitPrice = prices.videoSecond[model] ?? null;
  if (unitPrice === null) return { seconds, unitPrice: null, amount: null, currency: null };
  return { seconds, unitPrice, amount: times(unitPrice, seconds), currency: prices.currency };
};

/** The record under the task's own name, so that it can be written any number of times and exist once. */
export const chargeRecord = (task: Task, charge: Charge, completedAt: number): ChargeRecord => ({
  ...charge,
  kind: 'video',
  id: storageName(task),
  account: task.account,
  keyId: task.keyId,
  taskId: task.id,
  model: task.request.model,
  resolution: task.request.resolution,
  time: completedAt,
});

type ImageUse = Pick<ImageChargeRecord, 'account' | 'keyId' | 'model' | 'size' | 'tokens' | 'time'> & {
  readonly requestId: string;
};

export const imagePrice = (size: ImageSize, prices: Prices): string | null => prices.image[size] ?? null;

/** One request makes one image: its price is the size's, whatever it cost in tokens. */
export const imageChargeRecord = ({ requestId, ...use }: ImageUse, prices: Prices): ImageChargeRecord => {
  const unitPrice = imagePrice(use.size, prices);
  return {
    ...use,
    kind: 'image',
    id: `img_${requestId}`,
    images: 1,
    unitPrice,
    amount: unitPrice === null ? null : times(unitPrice, 1),
    currency: unitPrice === null ? null : prices.currency,
  };
};
