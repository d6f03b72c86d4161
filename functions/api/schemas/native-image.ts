import * as z from 'zod/mini';
import { IMAGE_MODEL } from '../../domain/models.ts';
import { imageConfigSchema } from './image-config.ts';
import { base64Schema, imageTypeSchema } from './input-image.ts';
import { samplingFields } from './sampling.ts';

const inlineData = z.object({ mimeType: imageTypeSchema, data: base64Schema });
const partFields = { thought: z.optional(z.boolean()), thoughtSignature: z.optional(z.string()) };
const part = z.union([
  z.object({ text: z.string(), ...partFields }),
  z.object({ inlineData, ...partFields }),
]);
const atLeastOne = <T extends z.core.$ZodType>(item: T) => z.array(item).check(z.minLength(1));

export const nativeRequestSchema = z
  .object({
    contents: atLeastOne(z.object({ role: z.optional(z.enum(['user', 'model'])), parts: atLeastOne(part) })),
    systemInstruction: z.optional(z.object({ parts: atLeastOne(z.object({ text: z.string() })) })),
    generationConfig: z.optional(
      z.object({
        responseModalities: z.optional(
          atLeastOne(z.enum(['TEXT', 'IMAGE', 'text', 'image'])).check(
            z.meta({ contains: { enum: ['IMAGE', 'image'] } }),
          ),
        ),
        imageConfig: z.optional(imageConfigSchema),
        candidateCount: z.optional(z.literal(1)),
        maxOutputTokens: samplingFields.limit,
        temperature: samplingFields.temperature,
        topP: samplingFields.share,
        seed: samplingFields.seed,
      }),
    ),
  })
  .check(z.describe('An image request in the native format. The names may also be in snake_case.'));

/** The upstream's own answer: what is stated here is always there, and the upstream may say more. */
export const nativeResponseSchema = z
  .looseObject({
    candidates: atLeastOne(
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
    ),
    usageMetadata: z.optional(z.looseObject({ totalTokenCount: z.optional(z.int()) })),
    modelVersion: z.literal(IMAGE_MODEL),
  })
  .check(z.describe('The image is the last part with inlineData that is not a thought.'));
export const nativeResponseListSchema = z.array(nativeResponseSchema);
