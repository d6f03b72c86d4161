import { at, listAt, textAt } from './answers.ts';

/** The models and options that a deployment offers, as far as the checks use them. */

export type VideoOffer = {
  readonly model: string;
  readonly modes: readonly unknown[];
  readonly seconds: readonly number[];
  readonly resolutions: readonly unknown[];
  readonly aspectRatios: readonly unknown[];
};

export type Offer = {
  /** Undefined if the deployment offers no video model. */
  readonly video: VideoOffer | undefined;
  /** Whether it offers the image model. */
  readonly images: boolean;
  readonly webhooks: boolean;
  /** Whether it has Google's formats beyond that of images. */
  readonly google: boolean;
};

/** The first one that is offered is used; the fast one costs less. */
export const VIDEO_MODELS = ['video-3.1-fast-generate-preview', 'video-3.1-generate-preview'] as const;
export const IMAGE_MODEL = 'image-3.1-flash-image-preview';

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The operations of features, in the OpenAPI document; a service without a document is checked as a whole. */
const readFeatures = (document: unknown): Pick<Offer, 'webhooks' | 'google'> => {
  const paths = at(document, 'paths');
  const has = (path: string): boolean => paths === undefined || at(paths, path) !== undefined;
  return { webhooks: has('/v1/webhook_endpoints'), google: has('/v1beta/models') };
};

/** Reads the response of `GET /v1/models` and the OpenAPI document; undefined if none of our models is listed. */
export const readOffer = (list: unknown, document?: unknown): Offer | undefined => {
  const findModel = (id: string): unknown => listAt(list, 'data').find((model) => at(model, 'id') === id);
  const video = VIDEO_MODELS.map(findModel).find((model) => model !== undefined);
  const images = findModel(IMAGE_MODEL) !== undefined;
  const features = readFeatures(document);
  if (video === undefined) return images ? { video, images, ...features } : undefined;
  const options = (name: string): readonly unknown[] => listAt(video, 'capabilities', name);
  return {
    images,
    ...features,
    video: {
      model: textAt(video, 'id'),
      modes: options('modes'),
      seconds: options('seconds').filter(isNumber),
      resolutions: options('resolutions'),
      aspectRatios: options('aspect_ratios'),
    },
  };
};

export type VideoMode = 'text' | 'first_frame' | 'first_and_last_frame' | 'references';

/** The fields of a create request beside its prompt and images. */
export type VideoSettings = { readonly model: string; readonly seconds: number; readonly size: string };

/** The smallest first, which costs least. */
const SIZES = [
  { size: '1280x720', resolution: '720p', aspectRatio: '16:9' },
  { size: '720x1280', resolution: '720p', aspectRatio: '9:16' },
  { size: '1920x1080', resolution: '1080p', aspectRatio: '16:9' },
  { size: '1080x1920', resolution: '1080p', aspectRatio: '9:16' },
  { size: '3840x2160', resolution: '4k', aspectRatio: '16:9' },
  { size: '2160x3840', resolution: '4k', aspectRatio: '9:16' },
] as const;

const SHORT_MODES: readonly VideoMode[] = ['text', 'first_frame'];
/** Required by 1080p and 4k, and by the other modes. */
const LONG_SECONDS = 8;

/** The cheapest video of the mode. */
export const chooseSettings = (video: VideoOffer, mode: VideoMode): VideoSettings => {
  const { size, resolution } =
    SIZES.find(
      (each) => video.resolutions.includes(each.resolution) && video.aspectRatios.includes(each.aspectRatio),
    ) ?? SIZES[0];
  const mayBeShort = resolution === '720p' && SHORT_MODES.includes(mode);
  return { model: video.model, size, seconds: mayBeShort ? Math.min(...video.seconds) : LONG_SECONDS };
};
