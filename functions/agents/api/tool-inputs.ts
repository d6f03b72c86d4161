import * as z from 'zod/mini';
import { OUTPUT_FORMATS } from '../../catalogue/domain/image-conversion.ts';
import { IMAGE_ASPECT_RATIOS } from '../../catalogue/domain/image-sizes.ts';
import { IMAGE_TYPES } from '../../catalogue/domain/models.ts';
import { isFileId, MAX_INPUT_FILES } from '../../files/domain/files.ts';
import { offeredImageSizes } from '../../images/domain/offered.ts';
import { refuse } from '../../platform/body/parse.ts';
import { choice, filledList, leaf, lenientFields, text, wholeNumber } from '../../platform/body/schema.ts';
import { isMoney } from '../../platform/domain/money.ts';
import { SHARE_SECONDS } from '../../shares/domain/share.ts';
import { namedVideoModels } from '../../upstream/domain/capabilities.ts';
import { combineCapabilities } from '../../upstream/domain/needs.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
import { capabilitySets } from '../../videos/domain/offered.ts';
import { TASK_STATUSES } from '../../videos/domain/task.ts';
import { LONGEST_WAIT_SECONDS, type ToolName } from '../domain/tools.ts';

/**
 * The arguments of the tools. Schemas are flat and say only what a model must know; the readers of the REST API check
 * the values of fields that have the same meaning there.
 */

const MAX_LISTED = 20;
const MAX_TOOL_IMAGES = 4;

const optional = <T extends z.core.$ZodType>(schema: T, description?: string) =>
  description === undefined ? z.optional(schema) : z.optional(schema).check(z.describe(description));

type Document = Readonly<Record<string, unknown>>;

/** A field that the reader of the REST API checks. */
const passed = (document: Document, description?: string) =>
  optional(
    leaf((value) => value, document),
    description,
  );
const required = (document: Document) =>
  leaf((value, context) => (value === undefined ? refuse(context, 'is required.') : value), document);

const oneOf = (values: readonly (string | number)[], description?: string) =>
  passed({ type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] }, description);

const words = (description?: string) => passed({ type: 'string' }, description);

/** The reader of the REST API checks addresses. */
const fileId = leaf(
  (value, context) =>
    typeof value === 'string' && (isFileId(value) || /^https?:/i.test(value))
      ? value
      : refuse(
          context,
          'must be the id of a file (file_…) or an https address: create_upload, generate_image and list_images return ids.',
        ),
  { type: 'string' },
);

/** A number is accepted as well, because models write prices as numbers. */
const price = leaf(
  (value, context) => {
    const amount = typeof value === 'number' ? String(value) : value;
    return typeof amount === 'string' && isMoney(amount)
      ? amount
      : refuse(context, 'must be a decimal amount of money, such as "3.20".');
  },
  { type: 'string' },
);

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

const repeatKey = leaf(
  (value, context) =>
    typeof value === 'string' && PRINTABLE.test(value)
      ? value
      : refuse(context, 'must have 1 to 255 printable ASCII characters.'),
  { type: 'string' },
);

const spending = {
  max_price: optional(price, 'Refuse if it costs more, such as "3.20".'),
  idempotency_key: optional(repeatKey, 'A repeated call with the same key makes nothing new.'),
};

const paging = (id: string) => ({
  limit: optional(wholeNumber(1, MAX_LISTED), 'Default 10.'),
  after: optional(text(), `The last ${id} of the previous page.`),
});

/** What the upstreams of the deployment can make. */
const videoOptions = (upstreams: readonly Upstream[]) => {
  const models = namedVideoModels(upstreams);
  const { seconds, resolutions, aspectRatios } = combineCapabilities(
    models.flatMap((model) => capabilitySets(upstreams, model)),
  );
  return {
    model: oneOf(models),
    seconds: oneOf(seconds),
    resolution: oneOf(resolutions),
    aspect_ratio: oneOf(aspectRatios),
  };
};

const imageOptions = (upstreams: readonly Upstream[]) => ({
  image_size: oneOf(offeredImageSizes(upstreams)),
  n: optional(wholeNumber(1, MAX_TOOL_IMAGES), 'How many images. Default 1.'),
});

/** Models often send null for a field that they leave out, so null counts as absent. */
export const toolInputs = (upstreams: readonly Upstream[]) => {
  const video = videoOptions(upstreams);
  const image = imageOptions(upstreams);
  const { aspect_ratio: _, ...priced } = video;
  return {
    list_models: lenientFields({}),
    estimate_price: lenientFields({ kind: choice(['video', 'image']), ...priced, ...image }),
    create_video: lenientFields({
      prompt: required({ type: 'string', description: 'Describes picture and sound.' }),
      ...video,
      negative_prompt: words(),
      seed: passed({ type: 'integer' }),
      first_frame_file_id: optional(fileId, 'Images: ids or https addresses.'),
      last_frame_file_id: optional(fileId, 'Needs a first frame.'),
      reference_file_ids: optional(filledList(fileId, MAX_INPUT_FILES), 'Not with frames.'),
      ...spending,
    }),
    get_video: lenientFields({
      video_id: text(),
      wait_seconds: optional(
        wholeNumber(0, LONGEST_WAIT_SECONDS),
        'Waits for the end at most this long. Default 0.',
      ),
    }),
    list_videos: lenientFields({ ...paging('video_id'), status: optional(choice(TASK_STATUSES)) }),
    cancel_video: lenientFields({ video_id: text() }),
    generate_image: lenientFields({
      prompt: required({ type: 'string', description: 'Describes the image or the change.' }),
      image_file_ids: optional(
        filledList(fileId, MAX_INPUT_FILES),
        'Images to edit or combine: ids or https addresses.',
      ),
      aspect_ratio: oneOf(IMAGE_ASPECT_RATIOS),
      ...image,
      output_format: oneOf(OUTPUT_FORMATS),
      ...spending,
    }),
    get_image: lenientFields({ file_id: text() }),
    list_images: lenientFields(paging('file_id')),
    create_upload: lenientFields({
      filename: required({ type: 'string' }),
      mime_type: required({ type: 'string', enum: IMAGE_TYPES }),
      bytes: required({ type: 'integer', description: 'The exact length of the file.' }),
    }),
    create_share_link: lenientFields({
      video_id: words('Either this or file_id.'),
      file_id: words('A generated image.'),
      expires_in_seconds: passed({
        type: 'integer',
        minimum: SHARE_SECONDS.least,
        maximum: SHARE_SECONDS.most,
      }),
      show_prompt: passed({ type: 'boolean' }),
    }),
    get_budget: lenientFields({}),
  } satisfies Record<ToolName, z.core.$ZodType>;
};

export type ToolInputs = ReturnType<typeof toolInputs>;
export type Arguments<Name extends ToolName> = z.output<ToolInputs[Name]>;
