import * as z from 'zod/mini';
import { imageFieldIn as inputFieldIn } from '../../catalogue/api/image.ts';
import { type NoteAlias, notTheModel, ownModelName } from '../../catalogue/api/model-field.ts';
import type { ImageConversion } from '../../catalogue/domain/image-conversion.ts';
import type { ModelNames } from '../../catalogue/domain/model-aliases.ts';
import { IMAGE_MODEL, MAX_PROMPT_CHARACTERS } from '../../catalogue/domain/models.ts';
import type { FieldName } from '../../files/domain/files.ts';
import { maxTokens, sampling, unsupported } from '../../images/api/image-options.ts';
import { toConversion } from '../../images/api/output-options.ts';
import { type ChatChores, refuseChores } from '../../images/api/text-requests.ts';
import { type BodyFields, isFields, ownField } from '../../platform/body/fields.ts';
import { type Parsed, parseNoting, refuse } from '../../platform/body/parse.ts';
import {
  anything,
  flag,
  ignored,
  leaf,
  lenientFields,
  limitedText,
  map,
  optional,
  text,
} from '../../platform/body/schema.ts';
import type { Advice } from '../../platform/body/unknown-fields.ts';
import { RESPONSE_ID } from '../../platform/domain/ids.ts';
import {
  type GivenImagePart,
  type GivenImageRequest,
  type GivenImageTurn,
  holdsPrompt,
  imagePart,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { type ResponseTerms, type ToolOptions, toCallId } from '../domain/response.ts';
import { IMAGE_TOOL_OPTIONS, isImageTool, textOptions, toolChoice, tools } from './image-tool.ts';
import { type InputItem, input } from './response-input.ts';

export type ResponseRequest = {
  readonly request: GivenImageRequest;
  readonly conversion: ImageConversion | undefined;
  readonly terms: ResponseTerms;
  readonly isStored: boolean;
  readonly stream: boolean;
};

const MAX_METADATA = 16;
const MAX_METADATA_NAME = 64;
const MAX_METADATA_VALUE = 512;
const METADATA_MESSAGE = `must be an object of at most ${MAX_METADATA} texts of at most ${MAX_METADATA_VALUE} characters, with names of at most ${MAX_METADATA_NAME}.`;

const metadata = leaf(
  (value, context: z.core.ParsePayload): Readonly<Record<string, string>> => {
    const entries = isFields(value) ? Object.entries(value) : undefined;
    const texts = (entries ?? []).flatMap(([name, text]) =>
      typeof text === 'string' &&
      name.length <= MAX_METADATA_NAME &&
      text.length <= MAX_METADATA_VALUE &&
      name.isWellFormed() &&
      text.isWellFormed()
        ? [[name, text] as const]
        : [],
    );
    return entries === undefined || texts.length < entries.length || texts.length > MAX_METADATA
      ? refuse(context, METADATA_MESSAGE)
      : Object.fromEntries(texts);
  },
  {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_METADATA_VALUE },
    maxProperties: MAX_METADATA,
    description: 'Texts of the client, which the response repeats.',
  },
);

const previousResponseId = leaf(
  (value, context: z.core.ParsePayload): string =>
    typeof value === 'string' && RESPONSE_ID.test(value)
      ? value
      : refuse(context, 'must be the id of a response of this account, such as resp_abc.'),
  { type: 'string', pattern: RESPONSE_ID.source },
);

const ADVICE: Advice = [
  [['messages', 'prompt_text'], 'send input.'],
  [
    [
      'size',
      'quality',
      'output_format',
      'output_compression',
      'partial_images',
      'image_size',
      'aspect_ratio',
    ],
    'send it as an option of the tool image_generation.',
  ],
  [['image', 'images', 'image_url', 'file_id'], 'send images as input_image parts of input.'],
  [['max_tokens', 'max_completion_tokens'], 'send max_output_tokens, or leave it out.'],
];

/** Options of text models. None of them changes an image. */
const UNAPPLIED = {
  user: ignored(anything('user-1')),
  safety_identifier: ignored(anything('user-1')),
  prompt_cache_key: ignored(anything('a')),
  prompt_cache_retention: ignored(anything('24h')),
  prompt_cache_options: ignored(anything({})),
  service_tier: ignored(anything('auto')),
  reasoning: ignored(anything({ effort: 'low' })),
  include: ignored(anything([])),
  truncation: ignored(anything('auto')),
  top_logprobs: ignored(anything(0)),
  parallel_tool_calls: ignored(anything(true)),
  max_tool_calls: ignored(anything(1)),
  moderation: ignored(anything({})),
  context_management: ignored(anything([])),
  stream_options: ignored(anything({ include_obfuscation: false })),
};

const model = map(
  text(`is required: ${IMAGE_MODEL}, or any with the tool image_generation.`).check(
    z.meta({
      description: `${IMAGE_MODEL}, or an alias of it; any model with the tool image_generation.`,
      examples: [IMAGE_MODEL],
    }),
  ),
  (name, context): typeof IMAGE_MODEL =>
    name === IMAGE_MODEL
      ? IMAGE_MODEL
      : refuse(
          context,
          `${notTheModel([IMAGE_MODEL])} Any other model needs {"type": "image_generation"} in tools.`,
          { code: 'model_not_found' },
        ),
);

const fields = lenientFields(
  {
    model,
    input,
    instructions: optional(limitedText(MAX_PROMPT_CHARACTERS), 'An instruction for the generator.'),
    tools,
    tool_choice: toolChoice,
    text: textOptions,
    previous_response_id: optional(previousResponseId, 'The next turn edits the image of this response.'),
    store: optional(flag(), 'false keeps neither the response nor its image. Default: true.'),
    stream: optional(flag(), 'Respond with server-sent events.'),
    background: optional(
      leaf(
        (value, context: z.core.ParsePayload): boolean =>
          value === false ? value : refuse(context, 'must be false.'),
        { type: 'boolean', const: false },
      ),
      'Not supported.',
    ),
    metadata: z.optional(metadata),
    max_output_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    conversation: unsupported('send previous_response_id.'),
    prompt: unsupported('send input.'),
    ...UNAPPLIED,
  },
  { advice: ADVICE },
);
type Fields = z.output<typeof fields>;

/** Images of earlier responses go to the next turn of the user, as in chats. */
const toTurns = (items: readonly InputItem[]): GivenImageTurn[] => {
  const turns: GivenImageTurn[] = [];
  let earlier: GivenImagePart[] = [];
  for (const item of items) {
    if (item.kind === 'image') earlier.push(imagePart(item.image));
    if (item.kind === 'answer' && item.text !== '')
      turns.push({ role: 'model', parts: [textPart(item.text)] });
    if (item.kind === 'user') {
      turns.push({ role: 'user', parts: [...earlier, ...item.parts] });
      earlier = [];
    }
  }
  turns.push({ role: 'user', parts: earlier });
  return turns.filter(({ parts }) => parts.length > 0);
};

const toRequest = (given: Fields, context: z.core.ParsePayload, chores: ChatChores): ResponseRequest => {
  const [tool] = given.tools ?? [];
  const turns = toTurns(given.input);
  if (!holdsPrompt(turns))
    return refuse(context, 'must hold text or an image of the user.', { path: ['input'] });
  const instructions = [
    ...(given.instructions === undefined ? [] : [given.instructions]),
    ...given.input.flatMap((item) => (item.kind === 'instruction' ? [item.text] : [])),
  ];
  const hasImage =
    given.previous_response_id !== undefined ||
    turns.some(({ parts }) => parts.some(({ content }) => content.kind === 'image'));
  if (tool?.action === 'edit' && !hasImage)
    return refuse(context, 'is edit, but the request has no image.', { path: ['tools', 0, 'action'] });
  if (chores === 'refuse')
    refuseChores(context, {
      instructions,
      turns,
      path: ['input'],
      maxTokens: { given: given.max_output_tokens, path: ['max_output_tokens'] },
      wantsImage: tool !== undefined,
    });
  const { output_format: format, output_compression: quality } = tool ?? {};
  const wanted = tool?.action === 'auto' ? undefined : tool?.action;
  return {
    request: {
      model: given.model,
      turns,
      systemInstruction: instructions.length === 0 ? undefined : instructions.join('\n\n'),
      config: tool?.size ?? { aspectRatio: undefined, imageSize: undefined },
      modalities: ['IMAGE'],
      sampling: { temperature: given.temperature, topP: given.top_p },
    },
    conversion: toConversion(format, quality, context, ['tools', '0', 'output_compression']),
    terms: {
      isBackground: false,
      instructions: given.instructions ?? null,
      metadata: given.metadata ?? {},
      previousResponseId: given.previous_response_id ?? null,
      temperature: given.temperature ?? null,
      topP: given.top_p ?? null,
      tool: {},
      action: wanted ?? (hasImage ? 'edit' : 'generate'),
      background: tool?.background === 'opaque' ? 'opaque' : 'auto',
      hasPartialImage: Number(tool?.partial_images ?? 0) > 0,
    },
    isStored: given.store ?? true,
    stream: given.stream ?? false,
  };
};

const findTool = (body: BodyFields): BodyFields | undefined => {
  const list = ownField(body, 'tools');
  const tool: unknown = Array.isArray(list) ? list.find(isImageTool) : undefined;
  return isFields(tool) ? tool : undefined;
};

/** The options of the tool as they were sent, which the response repeats. */
const toToolOptions = (tool: BodyFields = {}): ToolOptions =>
  Object.fromEntries(
    IMAGE_TOOL_OPTIONS.flatMap((name) => {
      const value = ownField(tool, name);
      return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
    }),
  );

/** The model of the tool wins; with the tool, the model of the request can be any. */
export const withResponseModel = (
  { aliases, defaults }: ModelNames,
  body: BodyFields,
  noteAlias: NoteAlias,
): BodyFields => {
  const tool = findTool(body);
  const ofTool = ownField(tool ?? {}, 'model') ?? undefined;
  const name = ofTool ?? ownField(body, 'model') ?? defaults.image;
  if (typeof name !== 'string') return tool === undefined ? body : { ...body, model: IMAGE_MODEL };
  const own = ownModelName(aliases, name, noteAlias);
  return { ...body, model: tool === undefined || ofTool !== undefined ? own : IMAGE_MODEL };
};

const schemaFor = (chores: ChatChores) =>
  map(fields, (given, context) => toRequest(given, context, chores)).check(
    z.describe('An image request in the format of the Responses API. Unknown fields are rejected.'),
  );

export const responseRequestSchema = schemaFor('accept');
const SCHEMAS = { accept: responseRequestSchema, refuse: schemaFor('refuse') };

export const readResponseRequest = (
  body: BodyFields,
  chores: ChatChores = 'accept',
): Parsed<ResponseRequest> => {
  const { data, ignored: names } = parseNoting(SCHEMAS[chores], body);
  const terms = { ...data.terms, tool: toToolOptions(findTool(body)) };
  return { data: { ...data, terms }, ignored: names };
};

const findCall = (items: unknown, callId: string): number =>
  Array.isArray(items) ? items.findIndex((item) => isFields(item) && ownField(item, 'id') === callId) : -1;

/** Names the field of a file, of an image of an earlier response, or of the previous response. */
export const imageFieldIn =
  (body: BodyFields): FieldName =>
  (name) => {
    const named = inputFieldIn(body)(name);
    if (named !== '') return named;
    const position = findCall(ownField(body, 'input'), toCallId(name));
    return position === -1 ? 'previous_response_id' : `input[${position}].id`;
  };
