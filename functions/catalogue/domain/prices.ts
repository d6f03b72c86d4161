/** Prices are decimal strings, so that binary arithmetic never rounds an amount. */
export type Prices = {
  readonly currency: string;
  /** Price of one second of video, by model. */
  readonly videoSecond: Readonly<Record<string, string>>;
  /** Price of one image, by image size. */
  readonly image: Readonly<Record<string, string>>;
};

/** Without any price, spending cannot be limited. */
export const hasPrices = ({ videoSecond, image }: Omit<Prices, 'currency'>): boolean =>
  Object.keys(videoSecond).length + Object.keys(image).length > 0;
