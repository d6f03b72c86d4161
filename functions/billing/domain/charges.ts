import type { ImageSize } from '../../catalogue/domain/image-sizes.ts';
import type { Prices } from '../../catalogue/domain/prices.ts';
import { type Cost, times } from '../../platform/domain/money.ts';

/** The part of a charge that is fixed by the write that completes the task. */
export type Charge = {
  readonly seconds: number;
  readonly unitPrice: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
};

/** Counted by the upstream. */
export type TokenCounts = { readonly prompt: number; readonly output: number; readonly total: number };

type RecordFields = {
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
  /** The person who made the request; undefined if the key or session belongs to the account. */
  readonly personId: string | undefined;
  readonly upstream: string;
  /** The upstream's own charge, if it reports one. */
  readonly upstreamCost: Cost | undefined;
  readonly model: string;
  readonly time: number;
};

export type ChargeRecord = RecordFields &
  Charge & {
    readonly kind: 'video';
    readonly taskId: string;
    /** The upstream's model, if it is another one than the request named. */
    readonly upstreamModel?: string | undefined;
    readonly resolution: string;
  };

/** Images have no task. */
export type ImageChargeRecord = RecordFields &
  Omit<Charge, 'seconds'> & {
    readonly kind: 'image';
    /** Undefined if images are not stored. */
    readonly fileId?: string | undefined;
    readonly size: ImageSize;
    readonly images: number;
    readonly tokens: TokenCounts;
  };

type Listed<Record> = Omit<Record, 'tokens' | 'upstream' | 'upstreamCost'> & {
  readonly upstream: string | null;
};
/**
 * A record as its account sees it, without the upstream's charge. Records that an operator entered by hand name no
 * upstream and have no token counts.
 */
export type ListedCharge = Listed<ChargeRecord> | Listed<ImageChargeRecord>;

/** Videos are billed per second; resolution and aspect ratio do not change the price. */
export const chargeFor = (model: string, seconds: number, prices: Prices): Charge => {
  const unitPrice = prices.videoSecond[model] ?? null;
  if (unitPrice === null) return { seconds, unitPrice: null, amount: null, currency: null };
  return { seconds, unitPrice, amount: times(unitPrice, seconds), currency: prices.currency };
};

/** A shorter video is charged for the whole seconds that it has, one of unknown duration for those requested. */
export const chargeForDelivered = (promised: Charge, delivered: number | undefined): Charge => {
  const { unitPrice } = promised;
  const seconds = Math.min(promised.seconds, Math.round(delivered ?? promised.seconds));
  return { ...promised, seconds, amount: unitPrice === null ? null : times(unitPrice, seconds) };
};

type ImageUse = Pick<
  ImageChargeRecord,
  'account' | 'keyId' | 'personId' | 'upstream' | 'upstreamCost' | 'model' | 'size' | 'tokens' | 'time'
> & {
  readonly requestId: string;
  /** The position of the image in the response. */
  readonly index?: number;
};

export const imagePrice = (size: ImageSize, prices: Prices): string | null => prices.image[size] ?? null;

/** Each image has a record of its own and is priced by its size, not by its tokens. */
export const imageChargeRecord = (
  { requestId, index = 0, ...use }: ImageUse,
  prices: Prices,
): ImageChargeRecord => {
  const unitPrice = imagePrice(use.size, prices);
  return {
    ...use,
    kind: 'image',
    id: index === 0 ? `img_${requestId}` : `img_${requestId}_${index}`,
    images: 1,
    unitPrice,
    amount: unitPrice === null ? null : times(unitPrice, 1),
    currency: unitPrice === null ? null : prices.currency,
  };
};
