import * as z from 'zod/mini';
import {
  base64,
  checkedImage,
  imageType,
  PLACE_DOCUMENT,
  readImagePlace,
} from '../../catalogue/api/image.ts';
import { notTheModel } from '../../catalogue/api/model-field.ts';
import { IMAGE_MODEL, type ImageModel, VIDEO_MODELS } from '../../catalogue/domain/models.ts';
import { isFields, namedField } from '../../platform/body/fields.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  filledList,
  forbidden,
  forms,
  ignored,
  leaf,
  lenientFields,
  map,
  openFields,
  text,
} from '../../platform/body/schema.ts';
import { DomainError, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import {
  type GeneratedImage,
  type GivenImagePart,
  type GivenImageRequest,
  type GivenImageTurn,
  holdsPrompt,
  imagePart,
  MAX_PARTS,
  MAX_TURNS,
  MODALITIES,
  type Modality,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { imageConfig, imageCount, maxTokens, safetySettings, sampling } from './image-options.ts';
import { type ChatChores, noSchema, noTools, plainTextFormat, refuseChores } from './text-requests.ts';
import { UNAPPLIED_NATIVE_CONFIG, UNAPPLIED_NATIVE_OPTIONS } from './unapplied-options.ts';

const has = (name: string) => (value: unknown) => isFields(value) && namedField(value, name) !== undefined;

const displayName = ignored(anything('fox.png'));

const inlineData = map(
  lenientFields({ mimeType: imageType, data: base64, displayName }),
  ({ data }, context) => checkedImage(context, data),
);

const fileData = lenientFields({
  mimeType: imageType,
  displayName,
  fileUri: leaf(
    (value, context) =>
      readImagePlace(value, context) ??
      refuse(
        context,
        'is not fetched: send files/file_… of this account, an https address, or the image as inlineData.',
        { code: 'remote_image_not_supported' },
      ),
    PLACE_DOCUMENT,
  ),
});

const partFields = {
  thought: z.optional(leaf((value) => value, { type: 'boolean' })),
  thoughtSignature: z.optional(text()),
  mediaResolution: ignored(anything({ level: 'MEDIA_RESOLUTION_HIGH' })),
};

const part = z.pipe(
  z.transform((value, context) =>
    has('fileData')(value) && (has('inlineData')(value) || has('text')(value))
      ? refuse(context, 'takes one of fileData, inlineData and text, not several.')
      : value,
  ),
  forms<GivenImagePart[]>(
    [
      [
        // Drafts that clients send back with the history; the upstream does not need them.
        (value) => isFields(value) && namedField(value, 'thought') === true,
        map(openFields({ thought: z.literal(true) }), (): GivenImagePart[] => []),
      ],
      [
        has('inlineData'),
        map(lenientFields({ inlineData, ...partFields }), (given) => [
          { ...imagePart(given.inlineData), signature: given.thoughtSignature },
        ]),
      ],
      [
        has('fileData'),
        map(lenientFields({ fileData, ...partFields }), (given) => [
          { ...imagePart(given.fileData.fileUri), signature: given.thoughtSignature },
        ]),
      ],
      [
        has('text'),
        map(lenientFields({ text: text(), ...partFields }), (given) => [
          { ...textPart(given.text), signature: given.thoughtSignature },
        ]),
      ],
    ],
    'must be an object with text, inlineData or fileData.',
  ),
);

const turn = map(
  lenientFields({ role: z.optional(choice(['user', 'model'])), parts: filledList(part, MAX_PARTS) }),
  ({ role = 'user', parts }): GivenImageTurn => ({ role, parts: parts.flat() }),
);

/** More than exist, because some clients repeat one. */
const MAX_MODALITIES = 10;

const modalities = leaf(
  (value, context): readonly Modality[] => {
    const names = Array.isArray(value) && value.length <= MAX_MODALITIES ? value : [];
    const asked = names
      .map((name) => (typeof name === 'string' ? name.toUpperCase() : name))
      .filter((name) => isOneOf(MODALITIES, name));
    return asked.includes('IMAGE') && asked.length === names.length
      ? asked
      : refuse(
          context,
          `must be a list of ${listed(MODALITIES)} that includes IMAGE, with at most ${MAX_MODALITIES} items.`,
        );
  },
  {
    type: 'array',
    minItems: 1,
    maxItems: MAX_MODALITIES,
    items: { type: 'string', enum: ['TEXT', 'IMAGE', 'text', 'image'] },
    contains: { enum: ['IMAGE', 'image'] },
  },
);

const given = lenientFields({
  contents: filledList(turn, MAX_TURNS),
  systemInstruction: z.optional(
    lenientFields({
      parts: filledList(lenientFields({ text: text(), ...partFields }), MAX_PARTS),
      role: ignored(anything('user')),
    }),
  ),
  tools: noTools,
  cachedContent: forbidden(
    (context) => refuse(context, 'is not supported: send the contents themselves.'),
    'Not supported: contents are not kept between requests.',
  ),
  safetySettings: z.optional(safetySettings),
  generationConfig: z.optional(
    lenientFields({
      responseModalities: z.optional(modalities),
      imageConfig: z.optional(imageConfig),
      candidateCount: imageCount,
      maxOutputTokens: maxTokens,
      temperature: sampling.temperature,
      topP: sampling.topP,
      seed: sampling.seed,
      responseMimeType: z.optional(plainTextFormat('text/plain')),
      responseSchema: noSchema,
      responseJsonSchema: noSchema,
      _responseJsonSchema: noSchema,
      ...UNAPPLIED_NATIVE_CONFIG,
    }),
  ),
  ...UNAPPLIED_NATIVE_OPTIONS,
});

const toRequest = (
  { contents, systemInstruction, safetySettings, generationConfig: config = {} }: z.output<typeof given>,
  context: z.core.ParsePayload,
  chores: ChatChores,
): Omit<GivenImageRequest, 'model'> => {
  const turns = contents.filter(({ parts }) => parts.length > 0);
  if (!holdsPrompt(turns))
    return refuse(context, 'must hold text or an image of the user.', { path: ['contents'] });
  const instructions = systemInstruction?.parts.map(({ text: instruction }) => instruction);
  if (chores === 'refuse')
    refuseChores(context, {
      instructions: instructions ?? [],
      turns,
      path: ['contents'],
      maxTokens: { given: config.maxOutputTokens, path: ['generationConfig', 'maxOutputTokens'] },
      wantsImage: (config.responseModalities ?? config.imageConfig) !== undefined,
    });
  return {
    turns,
    systemInstruction: instructions?.join('\n\n'),
    safetySettings,
    config: config.imageConfig ?? { aspectRatio: undefined, imageSize: undefined },
    modalities: config.responseModalities ?? MODALITIES,
    sampling: {
      temperature: config.temperature,
      topP: config.topP,
      seed: config.seed,
    },
  };
};

const nativeSchema = (chores: ChatChores) =>
  map(given, (request, context) => toRequest(request, context, chores)).check(
    z.describe(
      'An image request in the native format. Field names may also be in snake_case. Unknown fields are rejected.',
    ),
  );

export const nativeRequestSchema = nativeSchema('accept');
const SCHEMAS = { accept: nativeRequestSchema, refuse: nativeSchema('refuse') };

export const requireImageModel = (model: string): ImageModel => {
  if (model === IMAGE_MODEL) return model;
  const hint = isOneOf(VIDEO_MODELS, model) ? ` ${model} makes videos, with predictLongRunning.` : '';
  throw new DomainError('model_not_found', `model ${notTheModel([IMAGE_MODEL])}${hint}`, { param: 'model' });
};

export const readNativeRequest = (
  modelName: string,
  body: unknown,
  chores: ChatChores = 'accept',
): Parsed<GivenImageRequest> => {
  const model = requireImageModel(modelName);
  const { data, ignored } = parseNoting(SCHEMAS[chores], body);
  return { data: { model, ...data }, ignored };
};

/** The upstream's response with this service's name of the model. */
export const toNativeResponse = ({ document }: GeneratedImage) => ({
  ...document,
  modelVersion: IMAGE_MODEL,
});

/** Loose, because the upstream may send more fields. */
export const nativeResponseSchema = z
  .looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z.optional(
            z.looseObject({
              parts: z.optional(
                z.array(
                  z.looseObject({
                    text: z.optional(z.string()),
                    thought: z.optional(z.boolean()),
                    inlineData: z.optional(z.looseObject({ mimeType: z.string(), data: z.string() })),
                  }),
                ),
              ),
            }),
          ),
          finishReason: z.optional(z.string()),
        }),
      )
      .check(z.minLength(1)),
    usageMetadata: z.optional(z.looseObject({ totalTokenCount: z.optional(z.int()) })),
    modelVersion: z.literal(IMAGE_MODEL),
  })
  .check(z.describe('The image is the last part with inlineData that is not a thought.'));
export const nativeResponseListSchema = z.array(nativeResponseSchema);
