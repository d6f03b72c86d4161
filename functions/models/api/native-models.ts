import * as z from 'zod/mini';
import {
  describeSeconds,
  MAX_PROMPT_CHARACTERS,
  MODELS,
  VIDEO_MODELS,
  videoModelEntry,
} from '../../catalogue/domain/models.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { type Catalogue, type ListedName, listNames, offeredCapabilities } from './models.ts';

export const nativeModelSchema = z
  .object({
    name: z.string().check(z.regex(/^models\/.+$/)),
    baseModelId: z.enum(MODELS).check(z.describe('The model; for an alias, the one that it stands for.')),
    version: z.string(),
    displayName: z.string(),
    description: z.string(),
    supportedGenerationMethods: z.array(z.string()),
    inputTokenLimit: z.int(),
    outputTokenLimit: z.int(),
  })
  .check(z.describe('A model of this service or an alias of one, native format.'));

export const nativeModelListSchema = z.object({
  models: z.array(nativeModelSchema),
  nextPageToken: z.optional(z.string()),
});

export type NativeModel = z.infer<typeof nativeModelSchema>;
export type NativeModelList = z.infer<typeof nativeModelListSchema>;

const displayName = (model: ListedName['model']): string =>
  isOneOf(VIDEO_MODELS, model) ? videoModelEntry(model).label : 'Image 3.1 Flash';

const describeModel = (catalogue: Catalogue, model: ListedName['model']): string => {
  if (!isOneOf(VIDEO_MODELS, model)) return 'Generates and edits images.';
  const { seconds } = offeredCapabilities(catalogue, model);
  return `Generates videos of ${describeSeconds(seconds, 'or')} seconds with sound.`;
};

/** Applications require both limits. Ours counts characters, and a token has at least one; the other is Google's. */
const LIMITS = { inputTokenLimit: MAX_PROMPT_CHARACTERS, outputTokenLimit: 32_768 };

/** Clients choose the request by the methods, so a name of Google's has the same ones as there. */
const METHODS_BY_PREFIX: readonly (readonly [prefix: string, methods: readonly string[]])[] = [
  ['gemini-', ['generateContent']],
  ['nano-banana-', ['generateContent']],
  ['imagen-', ['predict']],
];
const IMAGE_METHODS = ['generateContent', 'predict'];

const methodsFor = ({ name, model }: ListedName): string[] => {
  if (isOneOf(VIDEO_MODELS, model)) return ['predictLongRunning'];
  const [, methods = IMAGE_METHODS] = METHODS_BY_PREFIX.find(([prefix]) => name.startsWith(prefix)) ?? [];
  return [...methods];
};

export const nativeModel = (catalogue: Catalogue, listed: ListedName): NativeModel => {
  const { name, model } = listed;
  const description = describeModel(catalogue, model);
  const isAlias = name !== model;
  return {
    name: `models/${name}`,
    baseModelId: model,
    version: '3.1',
    displayName: isAlias ? `${displayName(model)} (${name})` : displayName(model),
    description: isAlias ? `Alias of ${model}. ${description}` : description,
    supportedGenerationMethods: methodsFor(listed),
    ...LIMITS,
  };
};

const PAGE_SIZE = /^[1-9]\d{0,8}$/;

/** The page token is the last name of the previous page. */
export const nativeModelList = (
  catalogue: Catalogue,
  query: (name: string) => string | undefined,
): NativeModelList => {
  const all = listNames(catalogue);
  const pageSize = query('pageSize') ?? String(all.length);
  if (!PAGE_SIZE.test(pageSize))
    throw invalidField('pageSize', 'pageSize must be a whole number of at least 1.');
  const token = query('pageToken') ?? '';
  const previous = all.findIndex(({ name }) => name === token);
  if (token !== '' && previous === -1)
    throw invalidField('pageToken', 'pageToken must be nextPageToken of the previous page.');
  const start = previous + 1;
  const page = all.slice(start, start + Number(pageSize));
  const last = page.at(-1);
  const isEnd = start + page.length >= all.length;
  return {
    models: page.map((listed) => nativeModel(catalogue, listed)),
    ...(isEnd || last === undefined ? {} : { nextPageToken: last.name }),
  };
};
