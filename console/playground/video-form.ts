import {
  ANY_VIDEO_MODEL,
  type AspectRatio,
  allowedSeconds,
  describeSeconds,
  MAX_PROMPT_CHARACTERS,
  MAX_SEED,
  pixelSize,
  pixelSizes,
  type Resolution,
  VIDEO_MODELS,
  type VideoMode,
  type VideoModel,
  videoModelEntry,
} from '../../functions/catalogue/domain/models.ts';
import type { CurrentSessionObject } from '../../functions/console/api/current-session.ts';
import { isOneOf } from '../../functions/platform/domain/text.ts';
import type { VideoNeeds } from '../../functions/upstream/domain/needs.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import type { RequestImage } from '../api/uploads.ts';
import { formatNumber } from '../parts/format.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Under this name the browser keeps the form. */
export const VIDEO_DRAFT = 'video-draft';

export const VARIATIONS = [1, 2, 3, 4] as const;

/** The images are in `VideoFiles`. */
export type VideoForm = {
  readonly mode: VideoMode;
  readonly prompt: string;
  readonly model: VideoModel;
  readonly seconds: number;
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly negativePrompt: string;
  readonly seed: string;
  /** How many videos are created, each with another seed. */
  readonly variations: (typeof VARIATIONS)[number];
  /** A test prompt of the sample generator, or empty. */
  readonly testPrompt: string;
};

const EMPTY_MODEL = 'video-3.1-fast-generate-preview';

export const EMPTY_VIDEO_FORM: VideoForm = {
  ...videoModelEntry(EMPTY_MODEL).defaults,
  mode: 'text',
  prompt: '',
  model: EMPTY_MODEL,
  negativePrompt: '',
  seed: '',
  variations: 1,
  testPrompt: '',
};

const oneOf = <const Table extends readonly unknown[]>(
  table: Table,
  value: unknown,
  otherwise: Table[number],
): Table[number] => (isOneOf(table, value) ? value : otherwise);

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** The options of a form with this model; values that the model does not accept become its defaults. */
export const modelOptions = (
  model: VideoModel,
  options: { readonly [Option in 'mode' | 'seconds' | 'resolution' | 'aspectRatio']?: unknown },
): Pick<VideoForm, 'model' | 'mode' | 'seconds' | 'resolution' | 'aspectRatio'> => {
  const { modes, seconds, resolutions, aspectRatios, defaults } = videoModelEntry(model);
  return {
    model,
    mode: oneOf(modes, options.mode, EMPTY_VIDEO_FORM.mode),
    seconds: oneOf(seconds, options.seconds, defaults.seconds),
    resolution: oneOf(resolutions, options.resolution, defaults.resolution),
    aspectRatio: oneOf(aspectRatios, options.aspectRatio, defaults.aspectRatio),
  };
};

/** Replaces values that it does not know, perhaps from an older version, by the defaults. */
export const readVideoForm = (stored: Readonly<Record<string, unknown>>): VideoForm => ({
  ...modelOptions(oneOf(VIDEO_MODELS, stored.model, EMPTY_VIDEO_FORM.model), stored),
  prompt: textOr(stored.prompt, ''),
  negativePrompt: textOr(stored.negativePrompt, ''),
  seed: textOr(stored.seed, ''),
  variations: oneOf(VARIATIONS, stored.variations, EMPTY_VIDEO_FORM.variations),
  testPrompt: textOr(stored.testPrompt, ''),
});

/** The form that creates this task again, without its images, which the service does not keep. */
export const toVideoForm = ({ model, prompt, seconds, size, request }: VideoObject): VideoForm =>
  readVideoForm({
    model,
    prompt,
    seconds: Number(seconds),
    ...pixelSizes(ANY_VIDEO_MODEL).get(size),
    mode: request?.mode,
    negativePrompt: request?.negative_prompt ?? '',
    seed: request?.seed === undefined || request.seed === null ? '' : String(request.seed),
  });

/** The lengths that the other choices leave, and the reason if they are not all. */
export const possibleSeconds = ({ model, resolution, mode }: VideoForm) =>
  allowedSeconds(videoModelEntry(model), resolution, mode);

export const actualSeconds = (form: VideoForm): number => {
  const { seconds } = possibleSeconds(form);
  if (seconds.includes(form.seconds)) return form.seconds;
  return seconds.find((value) => value > form.seconds) ?? seconds.at(-1) ?? form.seconds;
};

type SecondsLimit = { readonly disabled: readonly number[]; readonly reason: string | undefined };

/** A length can be impossible with the other choices, or not offered. */
export const limitSeconds = (form: VideoForm, offered?: SecondsLimit): SecondsLimit | undefined => {
  const { seconds, reason } = possibleSeconds(form);
  if (reason === undefined) return offered;
  const impossible = videoModelEntry(form.model).seconds.filter((value) => !seconds.includes(value));
  return {
    disabled: [...impossible, ...(offered?.disabled ?? [])],
    reason: [texts.form.secondsFixed(reason, describeSeconds(seconds, 'or')), offered?.reason]
      .join(' ')
      .trim(),
  };
};

export const allowsNegativePrompt = ({ model, mode }: VideoForm): boolean =>
  videoModelEntry(model).negativePrompt.includes(mode);

const toNeeds = (form: VideoForm): VideoNeeds => ({
  ...form,
  seconds: actualSeconds(form),
  negativePrompt: form.negativePrompt !== '' && allowsNegativePrompt(form),
  seed: form.seed !== '',
});

export const FORM_RULES = { toNeeds, empty: EMPTY_VIDEO_FORM };
export type FormRules = typeof FORM_RULES;

const fullPrompt = ({ prompt, testPrompt }: VideoForm): string =>
  testPrompt === '' ? prompt : `${prompt} [sample: ${testPrompt}]`;

/** The images of a form; roles that its mode does not use are ignored. */
export type VideoFiles<Image = File> = {
  readonly first: readonly Image[];
  readonly last: readonly Image[];
  readonly references: readonly Image[];
};

type ImageRole = keyof VideoFiles;

export const NO_FILES: VideoFiles = { first: [], last: [], references: [] };

const ROLES_BY_MODE = {
  text: [],
  first_frame: ['first'],
  first_and_last_frame: ['first', 'last'],
  references: ['references'],
} as const satisfies Record<VideoMode, readonly ImageRole[]>;

export const imageRoles = ({ mode }: VideoForm): readonly ImageRole[] => ROLES_BY_MODE[mode];

const promptProblem = (form: VideoForm): string | undefined => {
  if (form.prompt.trim() === '') return texts.form.promptMissing;
  return fullPrompt(form).length > MAX_PROMPT_CHARACTERS
    ? texts.form.promptTooLong(formatNumber(MAX_PROMPT_CHARACTERS))
    : undefined;
};

export const seedProblem = ({ seed }: Pick<VideoForm, 'seed'>): string | undefined => {
  const isValid = seed === '' || (/^\d{1,10}$/.test(seed) && Number(seed) <= MAX_SEED);
  return isValid ? undefined : texts.form.seedInvalid(formatNumber(MAX_SEED));
};

const imageProblem = (form: VideoForm, files: VideoFiles): string | undefined => {
  const missing = imageRoles(form).find((role) => files[role].length === 0);
  return missing === undefined ? undefined : texts.form.imageMissing(texts.roles[missing]);
};

export const findProblems = (form: VideoForm, files: VideoFiles) => ({
  prompt: promptProblem(form),
  seed: seedProblem(form),
  images: imageProblem(form, files),
});

export type VideoProblems = Partial<ReturnType<typeof findProblems>>;

/** The seeds of the variations: they count up from the chosen seed, or from a random one, if seeds are offered. */
export const variationSeeds = (
  { seed, variations }: VideoForm,
  random: number,
  hasSeeds = true,
): readonly string[] => {
  if (variations === 1) return [seed];
  if (!hasSeeds) return Array<string>(variations).fill('');
  const first = seed === '' ? random : Number(seed);
  return Array.from({ length: variations }, (_, index) => String((first + index) % (MAX_SEED + 1)));
};

const FIELD_NAMES = {
  first: 'input_reference',
  last: 'last_frame',
  references: 'reference_images',
} as const satisfies Record<ImageRole, string>;

export const LIST_FIELDS: readonly string[] = [FIELD_NAMES.references];

export const textFields = (form: VideoForm): readonly (readonly [string, string])[] => [
  ['model', form.model],
  ['prompt', fullPrompt(form)],
  ['seconds', String(actualSeconds(form))],
  ['size', pixelSize(form.resolution, form.aspectRatio)],
  ...(form.negativePrompt !== '' && allowsNegativePrompt(form)
    ? [['negativePrompt', form.negativePrompt] as const]
    : []),
  ...(form.seed === '' ? [] : [['seed', form.seed] as const]),
  ...(form.mode === 'references' ? [['reference_type', 'asset'] as const] : []),
];

export const fileFields = <Image>(
  form: VideoForm,
  files: VideoFiles<Image>,
): readonly (readonly [string, Image])[] =>
  imageRoles(form).flatMap((role) => files[role].map((image) => [FIELD_NAMES[role], image] as const));

/** Such as `reference_images[][file_id]`, where `[]` marks a list. */
const fileIdField = (field: string): string => `${field}${LIST_FIELDS.includes(field) ? '[]' : ''}[file_id]`;

export const toFormData = (
  form: VideoForm,
  images: readonly (readonly [field: string, image: RequestImage])[],
): FormData => {
  const data = new FormData();
  for (const [name, value] of textFields(form)) data.append(name, value);
  for (const [field, image] of images)
    if (image instanceof File) data.append(field, image, image.name);
    else data.append(fileIdField(field), image.fileId);
  return data;
};

type VideoOffers = CurrentSessionObject['offers']['video'];

const isComplete = (model: VideoModel, can: NonNullable<VideoOffers[string]>[number]): boolean => {
  const all = videoModelEntry(model);
  return (
    can.seed === all.seed &&
    can.negative_prompt === all.negativePrompt.length > 0 &&
    can.modes.length === all.modes.length &&
    can.seconds.length === all.seconds.length &&
    can.resolutions.length === all.resolutions.length &&
    can.aspect_ratios.length === all.aspectRatios.length
  );
};

export const offersEveryVideo = (offers: VideoOffers): boolean =>
  VIDEO_MODELS.every((model) =>
    model in offers ? offers[model]?.some((can) => isComplete(model, can)) : videoModelEntry(model).isExtra,
  );
