import * as z from 'zod/mini';
import { OUTPUT_FORMATS } from '../../catalogue/domain/image-conversion.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { describeImage, toImageUsage } from '../../images/api/images-response.ts';
import type { MadeImage } from '../../images/domain/kept-image.ts';
import { deletion } from '../../platform/api/pages.ts';
import { toSeconds, toSecondsOrNull } from '../../platform/api/parameters.ts';
import { optional, timestamp } from '../../platform/body/schema.ts';
import type { ErrorCode } from '../../platform/domain/errors.ts';
import { RESPONSE_ID } from '../../platform/domain/ids.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { RESPONSE_STATUSES, type ResponseStatus, type ResponseTerms } from '../domain/response.ts';

/** The object of the Responses API, with one call of the tool `image_generation`. */

export type ResponseState = {
  readonly id: string;
  readonly callId: string;
  readonly createdAt: number;
  readonly terms: ResponseTerms;
  readonly status: ResponseStatus;
  /** Present if the status is `completed`. */
  readonly image?: MadeImage | undefined;
  readonly completedAt?: number | undefined;
  /** Present if the status is `failed`. */
  readonly failure?: { readonly code: ErrorCode; readonly message: string } | undefined;
};

const ERROR_CODES = [
  'server_error',
  'rate_limit_exceeded',
  'invalid_prompt',
  'invalid_image',
  'image_content_policy_violation',
] as const;
type ResponseErrorCode = (typeof ERROR_CODES)[number];

/** Failures in the words of OpenAI's clients; all others are errors of the server. */
const CODES: Partial<Record<ErrorCode, ResponseErrorCode>> = {
  content_blocked: 'image_content_policy_violation',
  upstream_rejected: 'invalid_prompt',
  not_offered: 'invalid_prompt',
  invalid_image: 'invalid_image',
  rate_limited: 'rate_limit_exceeded',
  insufficient_quota: 'rate_limit_exceeded',
};

const toCall = ({ callId, terms: { action, background } }: ResponseState, image: MadeImage): ResponseItem => {
  const { output_format, size } = describeImage(image);
  return {
    id: callId,
    type: 'image_generation_call',
    status: 'completed',
    result: image.image.base64,
    action,
    background,
    quality: 'auto',
    ...(isOneOf(OUTPUT_FORMATS, output_format) && { output_format }),
    size,
  };
};

/** The call while its image is generated. */
export const pendingCall = ({ callId }: ResponseState): ResponseItem => ({
  id: callId,
  type: 'image_generation_call',
  status: 'in_progress',
  result: null,
});

/** Only the tool uses tokens, so both counts are of the image. */
const toUsage = (image: MadeImage) => {
  const { input_tokens, output_tokens, total_tokens, input_tokens_details } = toImageUsage(image);
  return {
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens,
    },
    tool_usage: {
      image_gen: { input_tokens, input_tokens_details, output_tokens, total_tokens },
      web_search: { num_requests: 0 as const },
    },
  };
};

export const toResponse = (state: ResponseState): ResponseObject => {
  const { id, createdAt, completedAt, terms, status, image, failure } = state;
  return {
    id,
    object: 'response',
    created_at: toSeconds(createdAt),
    completed_at: toSecondsOrNull(completedAt),
    status,
    background: terms.isBackground,
    model: IMAGE_MODEL,
    output: image === undefined ? [] : [toCall(state, image)],
    error:
      failure === undefined
        ? null
        : { code: CODES[failure.code] ?? 'server_error', message: failure.message },
    incomplete_details: null,
    instructions: terms.instructions,
    metadata: terms.metadata,
    previous_response_id: terms.previousResponseId,
    temperature: terms.temperature,
    top_p: terms.topP,
    tools: [{ type: 'image_generation', ...terms.tool }],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    text: { format: { type: 'text' } },
    truncation: 'disabled',
    access_programs: null,
    ...(image !== undefined && toUsage(image)),
  };
};

const count = z.int().check(z.gte(0));

export const responseItemSchema = z
  .object({
    id: z.string().check(z.regex(/^ig_[0-9a-z]{26}$/)),
    type: z.literal('image_generation_call'),
    status: z.enum(['in_progress', 'generating', 'completed']),
    result: z.nullable(z.string()).check(z.describe('The image in Base64; null until it is complete.')),
    action: z.optional(z.enum(['generate', 'edit'])),
    background: z.optional(z.enum(['auto', 'opaque'])),
    output_format: optional(
      z.enum(OUTPUT_FORMATS),
      'Read from the image. Default: the format in which the generator returns it.',
    ),
    quality: z.optional(z.literal('auto')),
    size: optional(z.string(), 'Width and height in pixels, such as 1024x1024.'),
  })
  .check(z.describe('The image, which can also be read as the file with the same identifier.'));
export type ResponseItem = z.infer<typeof responseItemSchema>;

const imageTokens = z.object({
  input_tokens: count,
  input_tokens_details: z.object({ text_tokens: count, image_tokens: count }),
  output_tokens: count,
  total_tokens: count,
});

const toolSchema = z
  .looseObject({ type: z.literal('image_generation') })
  .check(z.describe('The tool with the options of the request.'));

export const responseSchema = z
  .object({
    id: z.string().check(z.regex(RESPONSE_ID)),
    object: z.literal('response'),
    created_at: timestamp('When it was created.'),
    completed_at: z.nullable(timestamp('When its image was complete.')),
    status: z.enum(RESPONSE_STATUSES),
    background: z.boolean(),
    model: z.literal(IMAGE_MODEL),
    output: z.array(responseItemSchema).check(z.maxLength(1)),
    error: z.nullable(z.object({ code: z.enum(ERROR_CODES), message: z.string() })),
    incomplete_details: z.null(),
    instructions: z.nullable(z.string()),
    metadata: z.record(z.string(), z.string()),
    previous_response_id: z.nullable(z.string()),
    temperature: z.nullable(z.number()),
    top_p: z.nullable(z.number()),
    tools: z.array(toolSchema),
    tool_choice: z.literal('auto'),
    parallel_tool_calls: z.literal(true),
    text: z.object({ format: z.object({ type: z.literal('text') }) }),
    truncation: z.literal('disabled'),
    access_programs: z.null(),
    usage: optional(
      z.object({
        input_tokens: count,
        input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }),
        output_tokens: count,
        output_tokens_details: z.object({ reasoning_tokens: count }),
        total_tokens: count,
      }),
      'Present with the image. Only the tool uses tokens, so both counts are of the image.',
    ),
    tool_usage: z.optional(
      z.object({ image_gen: imageTokens, web_search: z.object({ num_requests: z.literal(0) }) }),
    ),
  })
  .check(z.describe('A response, with one image.'));
export type ResponseObject = z.infer<typeof responseSchema>;

export const { schema: deletedResponseSchema, answer: deletedResponse } = deletion('response');
