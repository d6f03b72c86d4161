import * as z from 'zod/mini';
import { unsupported } from '../../images/api/image-options.ts';
import { outputFields } from '../../images/api/output-options.ts';
import { IMAGES_API_OPTIONS, pixelSize } from '../../images/api/read-images-request.ts';
import { ASKS_FOR_TEXT } from '../../images/api/text-requests.ts';
import { isFields, ownField } from '../../platform/body/fields.ts';
import { type NotingPayload, notingTransform } from '../../platform/body/ignored-fields.ts';
import { refuse } from '../../platform/body/parse.ts';
import {
  anything,
  choice,
  forms,
  ignored,
  leaf,
  lenientFields,
  optional,
} from '../../platform/body/schema.ts';

/** The tool `image_generation`, which is always called, and the fields that could ask for something else. */

const TOOL = 'image_generation';
const MAX_TOOLS = 128;

const { quality, background, moderation, input_fidelity, partial_images } = IMAGES_API_OPTIONS;
const { complexity, frame_count, frame_duration_ms, svg, mask } = IMAGES_API_OPTIONS;

const options = {
  model: optional(
    leaf((value) => value, { type: 'string' }),
    'Wins over the model of the request.',
  ),
  size: optional(pixelSize, 'Aspect ratio and resolution.'),
  action: optional(
    choice(['auto', 'generate', 'edit']),
    'edit requires an image. Images of the request are always sent to the generator.',
  ),
  ...outputFields,
  quality,
  background,
  moderation,
  input_fidelity,
  partial_images,
  complexity,
  frame_count,
  frame_duration_ms,
  svg,
  input_image_mask: mask,
};
const imageTool = lenientFields({ type: z.literal(TOOL), ...options });
export const IMAGE_TOOL_OPTIONS = Object.keys(options);

const typeName = (value: unknown): unknown => (isFields(value) ? ownField(value, 'type') : undefined);
export const isImageTool = (value: unknown): boolean => typeName(value) === TOOL;

const CALLS_NO_OTHER = `the model generates images and calls no other tools. Add {"type": "${TOOL}"}, turn off the application's tools for this model, or choose a text model.`;

/** Other tools beside that for images are not called; alone, the client would wait for their calls. */
const pickImageTool = (value: unknown, context: NotingPayload): unknown => {
  if (!Array.isArray(value) || value.length > MAX_TOOLS)
    return refuse(context, `must be a list of at most ${MAX_TOOLS} tools.`);
  const position = value.findIndex(isImageTool);
  if (position === -1 && value.length > 0) return refuse(context, `must include ${TOOL}: ${CALLS_NO_OTHER}`);
  if (value.filter(isImageTool).length > 1) return refuse(context, `must include ${TOOL} only once.`);
  for (const tool of value) if (isFields(tool) && !isImageTool(tool)) context.ignored.note(tool, 'type');
  return value.filter(isImageTool);
};

export const tools = z.optional(
  z.pipe(notingTransform(pickImageTool), z.array(imageTool).check(z.maxLength(1))),
);

const OBJECT_CHOICES = [TOOL, 'allowed_tools'];

/** `auto` is what some clients always send; the tool is called anyway. */
export const toolChoice = z.optional(
  forms<unknown>(
    [
      [
        (value) => typeof value === 'string',
        leaf(
          (value, context) =>
            value === 'auto' || value === 'required'
              ? value
              : refuse(context, `must be auto, required or {"type": "${TOOL}"}: ${ASKS_FOR_TEXT}`),
          { type: 'string', enum: ['auto', 'required'] },
        ),
      ],
      [
        () => true,
        leaf(
          (value, context) => {
            const names = isFields(value) ? ownField(value, 'tools') : undefined;
            const isAllowed =
              OBJECT_CHOICES.includes(String(typeName(value))) &&
              (names === undefined || (Array.isArray(names) && names.some(isImageTool)));
            return isAllowed
              ? value
              : refuse(context, `must be auto, required or {"type": "${TOOL}"}: ${CALLS_NO_OTHER}`);
          },
          { type: 'object', properties: { type: { enum: OBJECT_CHOICES } }, required: ['type'] },
        ),
      ],
    ],
    'must be auto.',
  ),
);

const plainFormat = lenientFields({
  type: optional(
    leaf(
      (value, context) =>
        value === 'text' ? value : refuse(context, `must be text, or be left out: ${ASKS_FOR_TEXT}`),
      { type: 'string', const: 'text' },
    ),
    'The only format of text that can accompany an image.',
  ),
  name: unsupported(ASKS_FOR_TEXT),
  schema: unsupported(ASKS_FOR_TEXT),
  strict: ignored(anything(true)),
  description: ignored(anything('a')),
});

/** Some clients always send an empty one. */
export const textOptions = z.optional(
  lenientFields({ format: z.optional(plainFormat), verbosity: ignored(anything('low')) }),
);
