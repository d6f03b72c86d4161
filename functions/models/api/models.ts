import * as z from 'zod/mini';
import { notTheModel } from '../../platform/body/schema.ts';
import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import {
  aliasesFor,
  isOneOf,
  MAX_PROMPT_CHARACTERS,
  MODELS,
  type ModelAliases,
  resolveModel,
  VIDEO_MODELS,
} from '../../platform/domain/models.ts';

export const modelSchema = z
  .object({
    id: z.enum(MODELS),
    object: z.literal('model'),
    created: z.int().check(z.gte(0)),
    owned_by: z.string(),
    aliases: z.array(z.string()).check(z.describe('Other names that requests can use for the model.')),
  })
  .check(z.describe('A model of this service.'));

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });

type ModelObject = z.infer<typeof modelSchema>;
export type ModelList = z.infer<typeof modelListSchema>;

/** The models have no release date, but clients of OpenAI's API require one. */
const RELEASED_AT = 1_767_225_600;

const modelObject = (id: ModelObject['id'], aliases: ModelAliases): ModelObject => ({
  id,
  object: 'model',
  created: RELEASED_AT,
  owned_by: 'media-generation',
  aliases: aliasesFor(aliases, id),
});

export const modelList = (aliases: ModelAliases): ModelList => ({
  object: 'list',
  data: MODELS.map((id) => modelObject(id, aliases)),
});

export const findModel = (name: string, aliases: ModelAliases): ModelObject | undefined =>
  modelList(aliases).data.find(({ id }) => id === resolveModel(aliases, name));

type ModelName = (typeof MODELS)[number];

export const nativeModelSchema = z
  .object({
    name: z.enum(MODELS.map((id) => `models/${id}` as const)),
    baseModelId: z.enum(MODELS),
    version: z.string(),
    displayName: z.string(),
    description: z.string(),
    supportedGenerationMethods: z.array(z.string()),
    inputTokenLimit: z.optional(z.int()),
  })
  .check(z.describe('A model of this service, native format.'));

export const nativeModelListSchema = z.object({
  models: z.array(nativeModelSchema),
  nextPageToken: z.optional(z.string()),
});

export type NativeModel = z.infer<typeof nativeModelSchema>;
export type NativeModelList = z.infer<typeof nativeModelListSchema>;

const DISPLAY_NAMES = {
  'video-3.1-generate-preview': 'Video 3.1',
  'video-3.1-fast-generate-preview': 'Video 3.1 Fast',
  'image-3.1-flash-image-preview': 'Image 3.1 Flash',
} as const satisfies Record<ModelName, string>;

const VIDEO = {
  description: 'Generates videos of 4, 6 or 8 seconds with sound.',
  supportedGenerationMethods: ['predictLongRunning'],
  // The limit counts characters, and a token has at least one.
  inputTokenLimit: MAX_PROMPT_CHARACTERS,
};
const IMAGE = {
  description: 'Generates and edits images.',
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
};

export const nativeModel = (id: ModelName): NativeModel => ({
  name: `models/${id}`,
  baseModelId: id,
  version: '3.1',
  displayName: DISPLAY_NAMES[id],
  ...(isOneOf(VIDEO_MODELS, id) ? VIDEO : IMAGE),
});

const PAGE_SIZE = /^[1-9]\d{0,8}$/;
const isModelName = (id: string): id is ModelName => isOneOf(MODELS, id);

/** The page token is the last model of the previous page. */
export const nativeModelList = (query: (name: string) => string | undefined): NativeModelList => {
  const pageSize = query('pageSize') ?? String(MODELS.length);
  if (!PAGE_SIZE.test(pageSize))
    throw invalidField('pageSize', 'pageSize must be a whole number of at least 1.');
  const token = query('pageToken') ?? '';
  if (token !== '' && !isModelName(token))
    throw invalidField('pageToken', 'pageToken must be nextPageToken of the previous page.');
  const start = isModelName(token) ? MODELS.indexOf(token) + 1 : 0;
  const page = MODELS.slice(start, start + Number(pageSize));
  const last = page.at(-1);
  const isEnd = start + page.length >= MODELS.length;
  return {
    models: page.map(nativeModel),
    ...(isEnd || last === undefined ? {} : { nextPageToken: last }),
  };
};

const IMAGE_ACTIONS = ['generateContent', 'streamGenerateContent'] as const;
const VIDEO_ACTION = 'predictLongRunning';

/** The colon can be URL-encoded. */
const SEPARATORS = [':', '%3a', '%3A'];

const splitAction = (modelAction: string): readonly [model: string, action: string] | undefined => {
  for (const separator of SEPARATORS) {
    const at = modelAction.lastIndexOf(separator);
    if (at !== -1) return [modelAction.slice(0, at), modelAction.slice(at + separator.length)];
  }
  return undefined;
};

/** Splits `{model}:{action}`, because a route of API Gateway cannot have a colon next to a parameter. */
export const readImageAction = (
  modelAction: string,
): { readonly model: string; readonly action: (typeof IMAGE_ACTIONS)[number] } => {
  const [model, action] = splitAction(modelAction) ?? [];
  if (model !== undefined && isOneOf(IMAGE_ACTIONS, action)) return { model, action };
  // Video models have their own routes, so this is not one of them.
  if (action === VIDEO_ACTION)
    throw new DomainError(
      'model_not_found',
      `${VIDEO_ACTION} generates videos: model ${notTheModel(VIDEO_MODELS)}`,
    );
  throw new DomainError(
    'model_not_found',
    `The supported actions are ${listed(IMAGE_ACTIONS)} for images and ${VIDEO_ACTION} for videos.`,
  );
};

/** The model in the last part of a route such as `/v1beta/models/NAME:predictLongRunning`. */
export const readRouteModel = (route: string): string =>
  splitAction(route.slice(route.lastIndexOf('/') + 1))?.[0] ?? '';
