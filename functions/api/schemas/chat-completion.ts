import * as z from 'zod/mini';
import { IMAGE_MODEL } from '../../domain/models.ts';

const images = z.array(
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }), index: z.int() }),
);
const usage = z.object({
  prompt_tokens: z.int().check(z.gte(0)),
  completion_tokens: z.int().check(z.gte(0)),
  total_tokens: z.int().check(z.gte(0)),
});
const envelope = { id: z.string(), created: z.int(), model: z.literal(IMAGE_MODEL) };
const finishReason = z.enum(['stop', 'length']);

export const chatCompletionSchema = z
  .object({
    ...envelope,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string(),
          images: z.optional(images),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: finishReason,
      }),
    ),
    usage,
  })
  .check(z.describe('The image is in message.content as markdown, or in message.images; never in both.'));

export const chatChunkSchema = z
  .object({
    ...envelope,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.int(),
        delta: z.object({
          role: z.optional(z.literal('assistant')),
          content: z.optional(z.string()),
          images: z.optional(images),
        }),
        logprobs: z.null(),
        finish_reason: z.nullable(finishReason),
      }),
    ),
    usage: z.optional(usage),
  })
  .check(z.describe('The data of one event of a streamed chat completion.'));
