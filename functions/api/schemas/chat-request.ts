import * as z from 'zod/mini';
import { IMAGE_MODEL } from '../../domain/models.ts';
import { imageConfigSchema } from './image-config.ts';
import { dataUriSchema } from './input-image.ts';
import { samplingFields } from './sampling.ts';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.union([dataUriSchema, z.object({ url: dataUriSchema })]),
});
const text = z.union([z.string(), z.array(textPart)]);

const messageSchema = z.union([
  z
    .object({ role: z.enum(['system', 'developer']), content: text })
    .check(z.describe('An instruction, or an imageConfig as JSON text.')),
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.union([textPart, imagePart]))]),
  }),
  z
    .object({
      role: z.literal('assistant'),
      content: z.optional(z.nullable(text)),
      images: z.optional(z.nullable(z.array(imagePart))),
    })
    .check(z.describe('An earlier answer.')),
]);

const configFields = {
  imageConfig: z.optional(imageConfigSchema),
  image_config: z.optional(imageConfigSchema),
  google: z.optional(z.object({ image_config: z.optional(imageConfigSchema) })),
};

export const chatRequestSchema = z
  .object({
    model: z.literal(IMAGE_MODEL),
    messages: z.array(messageSchema).check(z.minLength(1)),
    modalities: z.optional(
      z
        .array(z.enum(['text', 'image']))
        .check(z.describe('With image, the answer has message.images; without, the image as markdown.')),
    ),
    stream: z.optional(z.boolean().check(z.describe('Answer in server-sent events.'))),
    stream_options: z.optional(z.object({ include_usage: z.optional(z.boolean()) })),
    n: z.optional(z.literal(1)),
    max_tokens: samplingFields.limit,
    max_completion_tokens: samplingFields.limit,
    temperature: samplingFields.temperature,
    top_p: samplingFields.share,
    seed: samplingFields.seed,
    ...configFields,
    extra_body: z.optional(z.object(configFields)),
  })
  .check(z.describe('An image request in the chat-completion format. Unknown fields are ignored.'));
