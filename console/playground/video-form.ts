import {
  ASPECT_RATIOS,
  type AspectRatio,
  DEFAULT_ASPECT_RATIO,
  DEFAULT_DURATION,
  DEFAULT_RESOLUTION,
  DURATIONS,
  type Duration,
  isOneOf,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  PIXEL_SIZES,
  RESOLUTIONS,
  type Resolution,
  VIDEO_MODELS,
  type VideoModel,
} from '../../functions/platform/domain/models.ts';
import { needsEightSeconds, type VideoMode } from '../../functions/videos/domain/video-request.ts';
import type { Video } from '../api/shapes.ts';

/** The name under which the browser keeps the form. */
export const VIDEO_DRAFT = 'video-draft';

export const VIDEO_MODES = [
  'text',
  'first_frame',
  'first_and_last_frame',
  'references',
] as const satisfies readonly VideoMode[];

/** What the form holds; the images are kept beside it. */
export type VideoForm = {
  readonly mode: VideoMode;
  readonly prompt: string;
  readonly model: VideoModel;
  readonly seconds: Duration;
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly negativePrompt: string;
  readonly seed: string;
  /** A test prompt of the sample generator, or nothing. */
  readonly rehearsal: string;
};

export const EMPTY_VIDEO_FORM: VideoForm = {
  mode: 'text',
  prompt: '',
  model: 'video-3.1-fast-generate-preview',
  seconds: DEFAULT_DURATION,
  resolution: DEFAULT_RESOLUTION,
  aspectRatio: DEFAULT_ASPECT_RATIO,
  negativePrompt: '',
  seed: '',
  rehearsal: '',
};

const oneOf = <const Table extends readonly unknown[]>(
  table: Table,
  value: unknown,
  otherwise: Table[number],
): Table[number] => (isOneOf(table, value) ? value : otherwise);

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** A form from whatever was stored: what it does not understand, an older version perhaps wrote, is the default. */
export const readVideoForm = (stored: Readonly<Record<string, unknown>>): VideoForm => ({
  mode: oneOf(VIDEO_MODES, stored.mode, EMPTY_VIDEO_FORM.mode),
  prompt: textOr(stored.prompt, ''),
  model: oneOf(VIDEO_MODELS, stored.model, EMPTY_VIDEO_FORM.model),
  seconds: oneOf(DURATIONS, stored.seconds, EMPTY_VIDEO_FORM.seconds),
  resolution: oneOf(RESOLUTIONS, stored.resolution, EMPTY_VIDEO_FORM.resolution),
  aspectRatio: oneOf(ASPECT_RATIOS, stored.aspectRatio, EMPTY_VIDEO_FORM.aspectRatio),
  negativePrompt: textOr(stored.negativePrompt, ''),
  seed: textOr(stored.seed, ''),
  rehearsal: textOr(stored.rehearsal, ''),
});

const sizeOf = (size: string) => Object.entries(PIXEL_SIZES).find(([name]) => name === size)?.[1];

/** The form that would make this task again, but for its images, which the service does not keep. */
export const formOfVideo = ({ model, prompt, seconds, size, request }: Video): VideoForm =>
  readVideoForm({
    model,
    prompt,
    seconds: Number(seconds),
    resolution: sizeOf(size)?.resolution,
    aspectRatio: sizeOf(size)?.aspectRatio,
    mode: request?.mode,
    negativePrompt: request?.negative_prompt ?? '',
    seed: request?.seed === undefined || request.seed === null ? '' : String(request.seed),
  });

export const eightSecondsReason = ({ resolution, mode }: VideoForm): string | undefined =>
  needsEightSeconds(resolution, mode);

/** The length that will be made: the chosen one, except where only 8 seconds are possible. */
export const secondsOf = (form: VideoForm): Duration =>
  eightSecondsReason(form) === undefined ? form.seconds : 8;

export const allowsNegativePrompt = ({ mode }: VideoForm): boolean => mode !== 'references';

export const isSeed = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= MAX_SEED;

/** The prompt as it is sent, with the test prompt where one is chosen. */
export const promptOf = ({ prompt, rehearsal }: VideoForm): string =>
  rehearsal === '' ? prompt : `${prompt} [sample: ${rehearsal}]`;

export const isPromptTooLong = (form: VideoForm): boolean => promptOf(form).length > MAX_PROMPT_CHARACTERS;
