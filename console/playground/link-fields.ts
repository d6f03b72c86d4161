import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES } from '../../functions/catalogue/domain/image-sizes.ts';
import {
  MAX_PROMPT_CHARACTERS,
  VIDEO_MODELS,
  videoModelEntry,
} from '../../functions/catalogue/domain/models.ts';
import { FILE_ID } from '../../functions/files/domain/files.ts';
import { isOneOf } from '../../functions/platform/domain/text.ts';
import { texts } from '../texts/texts.ts';
import { IMAGE_COUNTS, type ImageForm, MAX_INPUTS, readImageForm } from './image-form.ts';
import {
  imageRoles,
  readVideoForm,
  seedProblem,
  VARIATIONS,
  type VideoFiles,
  type VideoForm,
} from './video-form.ts';

/**
 * Writes settings into the fragment of a link, and reads them. Anybody can write a link, so every value is checked, and
 * those that are not accepted are named and dropped.
 */

type Field = readonly [name: string, value: string];
type Problem = Field;

const write = (kind: 'video' | 'image', fields: readonly Field[]): string => {
  const params = new URLSearchParams({ settings: kind });
  for (const [name, value] of fields) if (value !== '') params.append(name, value);
  return `#${params}`;
};

/** Reads each field once; what is left is unknown. */
const reader = (fragment: string) => {
  const fields: readonly Field[] = [...new URLSearchParams(fragment.slice(1))];
  const known = new Set(['settings']);
  const problems: Problem[] = [];
  const all = (name: string): readonly string[] => {
    known.add(name);
    return fields.flatMap(([field, value]) => (field === name ? [value] : []));
  };
  return {
    /** The first value that is accepted; undefined leaves the default. */
    one: <Value>(name: string, accept: (value: string) => Value | undefined): Value | undefined => {
      const [value, ...others] = all(name);
      const accepted = value === undefined ? undefined : accept(value);
      if (value !== undefined && accepted === undefined) problems.push([name, value]);
      problems.push(...others.map((other) => [name, other] as const));
      return accepted;
    },
    fileIds: (name: string, most: number): readonly string[] => {
      const values = all(name);
      const ids = values.filter((value) => FILE_ID.test(value)).slice(0, most);
      problems.push(...values.filter((value) => !ids.includes(value)).map((value) => [name, value] as const));
      return ids;
    },
    /** Call it last. */
    problems: (): readonly Problem[] => [...problems, ...fields.filter(([name]) => !known.has(name))],
  };
};

const text = (value: string): string | undefined =>
  value.length <= MAX_PROMPT_CHARACTERS ? value : undefined;

const among =
  <const Table extends readonly (string | number)[]>(table: Table) =>
  (value: string): Table[number] | undefined =>
    table.find((item) => String(item) === value);

/** The links name the images by their file ids. */
export type LinkedFiles = VideoFiles<string>;

export const writeVideoLink = (form: VideoForm, files: LinkedFiles): string =>
  write('video', [
    ['mode', form.mode],
    ['prompt', form.prompt],
    ['model', form.model],
    ['seconds', String(form.seconds)],
    ['resolution', form.resolution],
    ['ratio', form.aspectRatio],
    ['negative', form.negativePrompt],
    ['seed', form.seed],
    ['variations', form.variations === 1 ? '' : String(form.variations)],
    ['test', form.testPrompt],
    ...imageRoles(form).flatMap((role) => files[role].map((id) => [role, id] as const)),
  ]);

type Read<Form, Files> = {
  readonly form: Form;
  readonly files: Files;
  readonly problems: readonly Problem[];
};

export const readVideoLink = (fragment: string): Read<VideoForm, LinkedFiles> => {
  const read = reader(fragment);
  const model = read.one('model', (value) => (isOneOf(VIDEO_MODELS, value) ? value : undefined));
  const entry = videoModelEntry(model ?? readVideoForm({}).model);
  const form = readVideoForm({
    model,
    mode: read.one('mode', among(entry.modes)),
    prompt: read.one('prompt', text),
    seconds: read.one('seconds', among(entry.seconds)),
    resolution: read.one('resolution', among(entry.resolutions)),
    aspectRatio: read.one('ratio', among(entry.aspectRatios)),
    negativePrompt: read.one('negative', text),
    seed: read.one('seed', (seed) => (seedProblem({ seed }) === undefined ? seed : undefined)),
    variations: read.one('variations', among(VARIATIONS)),
    testPrompt: read.one('test', among(texts.testPrompts.choices.map(({ prompt }) => prompt))),
  });
  const files = {
    first: read.fileIds('first', 1),
    last: read.fileIds('last', 1),
    references: read.fileIds('references', entry.maxReferences),
  };
  return { form, files, problems: read.problems() };
};

export const writeImageLink = (form: ImageForm, uploaded: readonly string[]): string =>
  write('image', [
    ['prompt', form.prompt],
    ['ratio', form.aspectRatio],
    ['size', form.imageSize],
    ['count', form.count === 1 ? '' : String(form.count)],
    ...[...form.kept.map(({ id }) => id), ...uploaded].map((id) => ['input', id] as const),
  ]);

export const readImageLink = (fragment: string): Read<ImageForm, readonly string[]> => {
  const read = reader(fragment);
  const form = readImageForm({
    prompt: read.one('prompt', text),
    aspectRatio: read.one('ratio', among(IMAGE_ASPECT_RATIOS)),
    imageSize: read.one('size', among(IMAGE_SIZES)),
    count: read.one('count', among(IMAGE_COUNTS)),
  });
  return { form, files: read.fileIds('input', MAX_INPUTS), problems: read.problems() };
};
