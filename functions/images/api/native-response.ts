import * as z from 'zod/mini';
import { IMAGE_MODEL } from '../../platform/domain/models.ts';
import type { GeneratedImage } from '../domain/image-request.ts';

/** The upstream's own answer, under the name by which the client knows the model. */
export const nativeAnswer = ({ document }: GeneratedImage) => ({ ...document, modelVersion: IMAGE_MODEL });

/** The upstream's own answer: what is stated here is always there, and the upstream may say more. */
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
