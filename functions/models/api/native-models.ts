import * as z from 'zod/mini';
import { invalidField } from '../../platform/domain/errors.ts';
import { isOneOf, MAX_PROMPT_CHARACTERS, MODELS, VIDEO_MODELS } from '../../platform/domain/models.ts';

type ModelName = (typeof MODELS)[number];

const DISPLAY_NAMES = {
  'video-3.1-generate-preview': 'Video 3.1',
  'video-3.1-fast-generate-preview': 'Video 3.1 Fast',
  'image-3.1-flash-image-preview': 'Image 3.1 Flash',
} as const satisfies Record<ModelName, string>;

const VIDEO = {
  description: 'Makes 4, 6 or 8 seconds of video with sound.',
  supportedGenerationMethods: ['predictLongRunning'],
  // The limit is one of characters, and a token has at least one.
  inputTokenLimit: MAX_PROMPT_CHARACTERS,
};
const IMAGE = {
  description: 'Makes and edits images.',
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

/** A page of the models; its token is the last model of the page before. */
export const nativeModelList = (query: (name: string) => string | undefined): NativeModelList => {
  const pageSize = query('pageSize') ?? String(MODELS.length);
  if (!PAGE_SIZE.test(pageSize))
    throw invalidField('pageSize', 'pageSize must be a whole number of at least 1.');
  const token = query('pageToken') ?? '';
  if (token !== '' && !isModelName(token))
    throw invalidField('pageToken', 'pageToken must be nextPageToken of the page before.');
  const start = isModelName(token) ? MODELS.indexOf(token) + 1 : 0;
  const page = MODELS.slice(start, start + Number(pageSize));
  const last = page.at(-1);
  const isEnd = start + page.length >= MODELS.length;
  return {
    models: page.map(nativeModel),
    ...(isEnd || last === undefined ? {} : { nextPageToken: last }),
  };
};

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
  .check(z.describe('A model of this service, native form.'));

export const nativeModelListSchema = z.object({
  models: z.array(nativeModelSchema),
  nextPageToken: z.optional(z.string()),
});

export type NativeModel = z.infer<typeof nativeModelSchema>;
export type NativeModelList = z.infer<typeof nativeModelListSchema>;
