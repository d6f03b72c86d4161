import { consoleChecks } from './checks/console.ts';
import { googleUploadCheck, uploadCheck } from './checks/files.ts';
import { imageChecks, NATIVE_IMAGE } from './checks/images.ts';
import {
  colonCheck,
  documentCheck,
  preflightCheck,
  queryKeyCheck,
  refusalChecks,
  refusedPreflight,
} from './checks/requests.ts';
import {
  firstFrameSeries,
  framesCheck,
  longChecks,
  referencesCheck,
  textVideoSeries,
} from './checks/videos.ts';
import { webhookCheck } from './checks/webhooks.ts';
import {
  chooseSettings,
  IMAGE_MODEL,
  type Offer,
  VIDEO_MODELS,
  type VideoMode,
  type VideoOffer,
  type VideoSettings,
} from './offer.ts';
import type { Check, Plan, Series } from './run-checks.ts';

export type PlanOptions = {
  /** An origin whose pages may call the API, if known. */
  readonly origin: string | undefined;
  readonly long: boolean;
  readonly sampleGenerator: boolean;
};

const alone = (checks: readonly Check[]): readonly Series[] => checks.map((check) => [check]);

/** Series that run unless the service, or the command, lacks something. */
type Row = { readonly gap?: string | undefined; readonly series: readonly Series[] };

/** The modes, as part of a sentence. */
const INPUTS: Readonly<Record<VideoMode, string>> = {
  text: 'text alone',
  first_frame: 'a first frame',
  first_and_last_frame: 'a first and a last frame',
  references: 'reference images',
};

const NO_VIDEO: VideoOffer = {
  model: VIDEO_MODELS[0],
  modes: [],
  seconds: [],
  resolutions: [],
  aspectRatios: [],
};

const videoRow = (
  { video }: Offer,
  mode: VideoMode,
  create: (settings: VideoSettings) => readonly Series[],
): Row => {
  const settings = chooseSettings(video ?? NO_VIDEO, mode);
  const series = create(settings);
  if (video === undefined) return { gap: 'the service offers no video model', series };
  const missing = !video.modes.includes(mode)
    ? INPUTS[mode]
    : !video.seconds.includes(settings.seconds) && `the required ${settings.seconds} seconds`;
  return missing ? { gap: `the service does not offer ${missing} with ${video.model}`, series } : { series };
};

const longRows = ({ long, sampleGenerator }: PlanOptions, offer: Offer): readonly Row[] => {
  if (!long) return [];
  const row = videoRow(offer, 'text', (settings) => alone(longChecks(settings)));
  return [sampleGenerator ? row : { ...row, gap: 'requires the sample generator' }];
};

const lacks = (offer: Offer, feature: 'webhooks' | 'google'): string | undefined =>
  offer[feature] ? undefined : `the service leaves out the feature ${feature}`;

/** A path with a colon that the service offers. */
const colonPath = ({ images, video = NO_VIDEO }: Offer): string =>
  images ? NATIVE_IMAGE : `/v1beta/models/${video.model}:predictLongRunning`;

/** The series in the order in which they start: those that take longest first. */
export const planChecks = (options: PlanOptions, offer: Offer): Plan => {
  const { origin } = options;
  const rows: readonly Row[] = [
    {
      gap: offer.images ? undefined : `the service does not offer ${IMAGE_MODEL}`,
      series: alone(imageChecks),
    },
    ...longRows(options, offer),
    videoRow(offer, 'text', (settings) => [textVideoSeries(settings)]),
    videoRow(offer, 'first_frame', (settings) => [firstFrameSeries(settings)]),
    videoRow(offer, 'first_and_last_frame', (settings) => [[framesCheck(settings)]]),
    videoRow(offer, 'references', (settings) => [[referencesCheck(settings)]]),
    { gap: lacks(offer, 'webhooks'), series: alone([webhookCheck]) },
    { gap: lacks(offer, 'google'), series: alone([googleUploadCheck, queryKeyCheck]) },
    {
      series: alone([uploadCheck, ...refusalChecks, documentCheck, ...consoleChecks, refusedPreflight]),
    },
    {
      gap: offer.images ? undefined : lacks(offer, 'google'),
      series: alone([colonCheck(colonPath(offer))]),
    },
    {
      gap: origin === undefined ? 'set --origin to an origin of allowedOrigins' : undefined,
      series: alone([preflightCheck(origin ?? '')]),
    },
  ];
  return {
    series: rows.flatMap(({ gap, series }) => (gap === undefined ? series : [])),
    skipped: rows.flatMap(({ gap, series }) =>
      gap === undefined ? [] : series.flat().map(({ name }) => `${name}: ${gap}`),
    ),
  };
};

/** Such as `24 seconds of video and 4 images in 4K`. */
export const describeQuantities = ({ series }: Plan): string => {
  const checks = series.flat();
  const seconds = checks.reduce((sum, { videoSeconds = 0 }) => sum + videoSeconds, 0);
  const images = checks.reduce((sum, check) => sum + (check.images ?? 0), 0);
  const parts = [seconds > 0 && `${seconds} seconds of video`, images > 0 && `${images} images in 4K`];
  return parts.filter(Boolean).join(' and ') || 'nothing';
};
