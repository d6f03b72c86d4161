import { consoleChecks } from './checks/console.ts';
import { googleUploadCheck, uploadCheck } from './checks/files.ts';
import { imageChecks, NATIVE_IMAGE } from './checks/images.ts';
import {
  colonCheck,
  documentCheck,
  preflightCheck,
  refusalChecks,
  requestChecks,
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

const run = (series: readonly Series[]): Plan => ({ series, skipped: [] });

const skip = (series: readonly Series[], reason: string): Plan => ({
  series: [],
  skipped: series.flat().map(({ name }) => `${name}: ${reason}`),
});

const runUnless = (reason: string | undefined, series: readonly Series[]): Plan =>
  reason === undefined ? run(series) : skip(series, reason);

const join = (plans: readonly Plan[]): Plan => ({
  series: plans.flatMap(({ series }) => series),
  skipped: plans.flatMap(({ skipped }) => skipped),
});

const alone = (checks: readonly Check[]): readonly Series[] => checks.map((check) => [check]);

type VideoRow = {
  readonly mode: VideoMode;
  /** As part of a sentence. */
  readonly input: string;
  readonly series: (settings: VideoSettings) => readonly Series[];
};

const TEXT: VideoRow = {
  mode: 'text',
  input: 'text alone',
  series: (settings) => [textVideoSeries(settings)],
};
const VIDEOS: readonly VideoRow[] = [
  TEXT,
  { mode: 'first_frame', input: 'a first frame', series: (settings) => [firstFrameSeries(settings)] },
  {
    mode: 'first_and_last_frame',
    input: 'a first and a last frame',
    series: (settings) => [[framesCheck(settings)]],
  },
  { mode: 'references', input: 'reference images', series: (settings) => [[referencesCheck(settings)]] },
];
const LONG_VIDEOS: VideoRow = { ...TEXT, series: (settings) => alone(longChecks(settings)) };

const NO_VIDEO: VideoOffer = {
  model: VIDEO_MODELS[0],
  modes: [],
  seconds: [],
  resolutions: [],
  aspectRatios: [],
};

/** Why the service cannot make the video; undefined if it can. */
const findGap = ({ mode, input }: VideoRow, { seconds }: VideoSettings, video: VideoOffer | undefined) => {
  if (video === undefined) return 'the service offers no video model';
  if (!video.modes.includes(mode)) return `the service does not offer ${input} with ${video.model}`;
  if (video.seconds.includes(seconds)) return undefined;
  return `the service does not offer the required ${seconds} seconds with ${video.model}`;
};

const planVideos = (row: VideoRow, video: VideoOffer | undefined): Plan => {
  const settings = chooseSettings(video ?? NO_VIDEO, row.mode);
  return runUnless(findGap(row, settings, video), row.series(settings));
};

const planLongVideos = ({ long, sampleGenerator }: PlanOptions, { video }: Offer): Plan => {
  if (!long) return run([]);
  if (sampleGenerator) return planVideos(LONG_VIDEOS, video);
  return skip(LONG_VIDEOS.series(chooseSettings(NO_VIDEO, 'text')), 'requires the sample generator');
};

const planImages = ({ images }: Offer): Plan =>
  runUnless(images ? undefined : `the service does not offer ${IMAGE_MODEL}`, alone(imageChecks));

const planPreflight = ({ origin }: PlanOptions): Plan =>
  runUnless(
    origin === undefined ? 'set --origin to an origin of allowedOrigins' : undefined,
    alone([preflightCheck(origin ?? '')]),
  );

/** A path with a colon that the service offers. */
const colonPath = ({ images, video = NO_VIDEO }: Offer): string =>
  images ? NATIVE_IMAGE : `/v1beta/models/${video.model}:predictLongRunning`;

/** The series in the order in which they start: those that take longest first. */
export const planChecks = (options: PlanOptions, offer: Offer): Plan =>
  join([
    planImages(offer),
    planLongVideos(options, offer),
    ...VIDEOS.map((row) => planVideos(row, offer.video)),
    run(
      alone([
        webhookCheck,
        uploadCheck,
        googleUploadCheck,
        ...refusalChecks,
        documentCheck(offer),
        ...consoleChecks,
        ...requestChecks,
        colonCheck(colonPath(offer)),
      ]),
    ),
    planPreflight(options),
  ]);

/** Such as `24 seconds of video and 4 images in 4K`. */
export const describeQuantities = ({ series }: Plan): string => {
  const checks = series.flat();
  const seconds = checks.reduce((sum, { videoSeconds = 0 }) => sum + videoSeconds, 0);
  const images = checks.reduce((sum, check) => sum + (check.images ?? 0), 0);
  const parts = [
    ...(seconds > 0 ? [`${seconds} seconds of video`] : []),
    ...(images > 0 ? [`${images} images in 4K`] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
};
