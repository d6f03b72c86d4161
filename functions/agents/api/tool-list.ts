import * as z from 'zod/mini';
import { DEFAULT_IMAGE_SIZE } from '../../catalogue/domain/image-sizes.ts';
import { type VideoModel, type VideoModelEntry, videoModelEntry } from '../../catalogue/domain/models.ts';
import { SHARE_SECONDS } from '../../shares/domain/share.ts';
import { namedVideoModels } from '../../upstream/domain/capabilities.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import type { Fields } from '../domain/messages.ts';
import { defaultToolModel, type ToolName } from '../domain/tools.ts';
import { toolInputs } from './tool-inputs.ts';
import { TOOL_RESULTS } from './tool-results.ts';

type Nature = 'reads' | 'spends' | 'ends' | 'adds';

/** Clients ask before a call that is not read-only; without a hint, every call counts as destructive. */
const HINTS: Readonly<Record<Nature, Fields>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  spends: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

const HOURS = SHARE_SECONDS.default / 3600;

type Description = readonly [title: string, nature: Nature, text: string];

/** The same texts for everyone: clients show them to people, who approve them once. */
const describeTools = (model: VideoModel, lastingLink: string): Readonly<Record<ToolName, Description>> => ({
  list_models: [
    'Models and prices',
    'reads',
    'Lists the video and image models with their options and prices. Free.',
  ],
  estimate_price: [
    'Price before spending',
    'reads',
    'Says what a video or image would cost and what is left of the budgets, without creating anything. Free.',
  ],
  create_video: [
    'Create a video',
    'spends',
    `Starts a video with sound and returns its id at once. COSTS MONEY per second (see estimate_price), so use it only when the user asked for a video. Takes 1 to 6 minutes: call get_video with the id next. Defaults: ${model}, ${describeDefaults(videoModelEntry(model))}.`,
  ],
  get_video: [
    'Status or result of a video',
    'reads',
    `Returns the status of a video and, when it is completed, a download link that works for 5 minutes. Free. wait_seconds up to 40 saves calls.${lastingLink}`,
  ],
  list_videos: [
    'Recent videos',
    'reads',
    'Lists the videos of the account, newest first. Free. Call it before you create a video again after an error.',
  ],
  cancel_video: [
    'Cancel a video',
    'ends',
    'Cancels a video that is still queued, which then costs nothing. A video that the generator has cannot be cancelled.',
  ],
  generate_image: [
    'Generate or edit images',
    'spends',
    `Makes 1 to 4 images from text, or edits images given by file id. COSTS MONEY per image (see estimate_price), so use it only when the user asked for an image. Takes 5 to 30 seconds. Returns links that work for 5 minutes and small previews. Default size: ${DEFAULT_IMAGE_SIZE}.`,
  ],
  get_image: [
    'Link to an image',
    'reads',
    `Returns a new link, which works for 5 minutes, and a small preview of an image. Free.${lastingLink}`,
  ],
  list_images: ['Recent images', 'reads', 'Lists the generated images of the account, newest first. Free.'],
  create_upload: [
    'Upload a picture',
    'adds',
    'Returns an address to which the user or a shell sends the bytes of a picture, and the file id to use in create_video and generate_image. Free.',
  ],
  create_share_link: [
    'Share a video or image',
    'adds',
    `Makes a link that anyone can open without an account, for 1 hour to 7 days (default ${HOURS} hours). Free.`,
  ],
  get_budget: ['Budget', 'reads', 'Says how much of the monthly budgets is used and when they reset. Free.'],
});

const describeDefaults = ({ defaults }: VideoModelEntry): string =>
  `${defaults.seconds} seconds, ${defaults.resolution}, ${defaults.aspectRatio}`;

type Schema = z.core.JSONSchema.BaseSchema;

/** Removes what costs tokens and tells a model nothing. */
const tidy = ({ jsonSchema }: { readonly jsonSchema: Schema }): void => {
  const schema: Record<string, unknown> = jsonSchema;
  delete schema.$schema;
  delete schema.additionalProperties;
  // A whole number may also be sent as text, which no model has to know.
  const whole = jsonSchema.anyOf?.find((option) => Object(option).type === 'integer');
  if (whole === undefined) return;
  delete schema.anyOf;
  Object.assign(schema, whole);
};

const toSchema = (schema: z.core.$ZodType): Fields => {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { unrepresentable: 'any', override: tidy });
  return document;
};

/** The parts of a result tell a model what they are; describing them would double the list. */
const withoutParts = (schema: Fields): Fields => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(Object(schema.properties)).map(([name, property]) => {
      const { type, items } = Object(property);
      if (type === 'object') return [name, { type }];
      return [name, Object(items).type === 'object' ? { type, items: { type: 'object' } } : property];
    }),
  ),
});

/** In a fixed order, so that clients can cache the list. */
export const listTools = (
  upstreams: readonly Upstream[],
  offered: readonly ToolName[],
): readonly Fields[] => {
  const inputs = toolInputs(upstreams);
  const lastingLink = offered.includes('create_share_link')
    ? ' For a lasting link call create_share_link.'
    : '';
  const tools = describeTools(defaultToolModel(namedVideoModels(upstreams)), lastingLink);
  return offered.map((name) => {
    const [title, nature, description] = tools[name];
    return {
      name,
      title,
      description,
      inputSchema: { ...toSchema(inputs[name]), additionalProperties: false },
      outputSchema: withoutParts(toSchema(TOOL_RESULTS[name])),
      annotations: HINTS[nature],
    };
  });
};
