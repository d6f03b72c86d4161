import * as z from 'zod';
import type { VideoRequest } from '../media-spec.ts';
import { validate } from '../request-body.ts';
import { invalid } from '../upstream-error.ts';

const RESOLUTIONS = ['360p', '720p', '1080p', '4k'] as const;
const RATIOS = ['16:9', '9:16'] as const;
const TASKS = ['text_to_video', 'image_to_video', 'reference_to_video'] as const;

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image'),
  data: z.string().min(1),
  mime_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
});

/** The fields that a video needs. Others are refused, so that a misspelled one is noticed. */
const body = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.discriminatedUnion('type', [text, image])).min(1),
  background: z.literal(true, 'the sample generator makes videos in the background only'),
  generation_config: z
    .strictObject({ video_config: z.strictObject({ task: z.enum(TASKS).optional() }).optional() })
    .optional(),
  response_format: z.strictObject({
    type: z.literal('video'),
    delivery: z.literal('uri', 'the sample generator delivers videos by uri only'),
    aspect_ratio: z.enum(RATIOS).default('16:9'),
    resolution: z.enum(RESOLUTIONS).default('720p'),
    duration: z
      .string()
      .regex(/^\d{1,3}s$/)
      .default('10s'),
    gcs_uri: z
      .string()
      .regex(/^gs:\/\/[^/]+\//)
      .optional(),
  }),
});

/** Version 1.2 makes longer videos. */
const longest = (model: string): number => (model.includes('omni-1.2') ? 15 : 10);
const LONGEST_WITH_LAST_FRAME = 10;
const MAX_IMAGES = 10;

const readSeconds = (model: string, duration: string, hasLastFrame: boolean): number => {
  const seconds = Number.parseInt(duration, 10);
  const most = hasLastFrame ? Math.min(LONGEST_WITH_LAST_FRAME, longest(model)) : longest(model);
  if (seconds < 3) throw invalid("Invalid 'response_format.duration': minimum allowed 3s.");
  if (seconds > most) throw invalid(`Invalid 'response_format.duration': maximum allowed ${most}s.`);
  return seconds;
};

const TAG = /<(FIRST_FRAME|LAST_FRAME|IMAGE_REF_(\d{1,2}))>/g;
const HEADER = /\[# ?References [^\]]*\]/;
const CLOSING =
  'Use the given image(s) as references for video generation. The images should not be used as literal initial frames.';

/** Tags anywhere in the prompt give the images their roles, in the order in which they were sent. */
const readImages = (prompt: string, images: readonly Buffer[]) => {
  const tags = Array.from(prompt.matchAll(TAG), ([, name = '', index]) => ({ name, index }));
  const has = (wanted: string): boolean => tags.some(({ name }) => name === wanted);
  const references = new Set(tags.flatMap(({ index }) => (index === undefined ? [] : Number(index))));
  const frames = Number(has('FIRST_FRAME')) + Number(has('LAST_FRAME'));
  if (has('LAST_FRAME') && !has('FIRST_FRAME')) throw invalid('<LAST_FRAME> requires <FIRST_FRAME>.');
  if (images.length > MAX_IMAGES) throw invalid(`At most ${MAX_IMAGES} images are supported.`);
  if (frames + references.size !== images.length)
    throw invalid('The images and the tags of the prompt do not match.');
  return {
    first: has('FIRST_FRAME') ? images[0] : undefined,
    last: has('LAST_FRAME') ? images[1] : undefined,
    references: [...references].flatMap((index) => images[frames + index] ?? []),
  };
};

/** Reads the body of `POST /interactions`. */
export const readInteractionRequest = (
  input: unknown,
): { readonly model: string; readonly request: VideoRequest } => {
  const given = validate(body, input, (field, message) => invalid(`Invalid input at '${field}': ${message}`));
  const { model, input: contents, response_format: format } = given;
  const prompt = contents.flatMap((one) => (one.type === 'text' ? one.text : [])).join(' ');
  const images = contents.flatMap((one) => (one.type === 'image' ? Buffer.from(one.data, 'base64') : []));
  const roles = readImages(prompt, images);
  return {
    model,
    request: {
      prompt: prompt.replace(HEADER, '').replaceAll(TAG, '').replace(CLOSING, '').trim(),
      seconds: readSeconds(model, format.duration, roles.last !== undefined),
      resolution: format.resolution,
      isLandscape: format.aspect_ratio === '16:9',
      storageUri: format.gcs_uri,
      ...roles,
    },
  };
};
