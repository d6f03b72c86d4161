import * as z from 'zod';
import type { VideoRequest } from '../media-spec.ts';
import { readDataUrl, validate } from '../request-body.ts';
import type { Resolution } from '../test-prompts.ts';
import { invalid } from '../upstream-error.ts';
import { ASPECT_RATIOS, DURATIONS, FRAME_TYPES, RESOLUTIONS } from './catalogue.ts';

const frame = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().min(1) }),
  frame_type: z.enum(FRAME_TYPES),
});

const passthrough = z.object({
  parameters: z.looseObject({ negativePrompt: z.string().optional() }).optional(),
});

/** The fields that a video of this service needs. Others are refused, so that a misspelled one is noticed. */
const body = z.strictObject({
  model: z.string(),
  prompt: z.string().default(''),
  duration: z.literal(DURATIONS).default(8),
  resolution: z.enum(RESOLUTIONS).default('720p'),
  aspect_ratio: z.enum(ASPECT_RATIOS).default('16:9'),
  generate_audio: z.boolean().default(false),
  seed: z.int().optional(),
  frame_images: z.array(frame).default([]),
  provider: z
    .object({ options: z.looseObject({ 'google-vertex': passthrough.optional() }).optional() })
    .optional(),
});

const OURS = { '720p': '720p', '1080p': '1080p', '4K': '4k' } as const satisfies Record<
  (typeof RESOLUTIONS)[number],
  Resolution
>;

const readFrames = (frames: readonly z.infer<typeof frame>[]) => {
  const find = (type: (typeof FRAME_TYPES)[number]) => {
    const [found, ...more] = frames.filter(({ frame_type: frameType }) => frameType === type);
    if (more.length > 0) throw invalid(`frame_images has more than one ${type}.`, 'frame_images');
    return found && readDataUrl(found.image_url.url, 'frame_images');
  };
  const frame = { first: find('first_frame'), last: find('last_frame') };
  if (frame.last !== undefined && frame.first === undefined)
    throw invalid('last_frame requires first_frame.', 'frame_images');
  return frame;
};

/** The model comes first, because an unknown one has another status. */
export const readVideoModel = (input: unknown): string => {
  const parsed = z.looseObject({ model: z.string().min(1) }).safeParse(input);
  if (!parsed.success) throw invalid('model is required.', 'model');
  return parsed.data.model;
};

/** Reads the body of `POST /videos`. */
export const readVideoRequest = (input: unknown): VideoRequest => {
  const given = validate(body, input, (field, message) => invalid(message, field));
  const { prompt, duration: seconds, resolution, seed } = given;
  const frames = readFrames(given.frame_images);
  if (prompt === '' && frames.first === undefined) throw invalid('prompt is required.', 'prompt');
  if (resolution !== '720p' && seconds !== 8)
    throw invalid(`${resolution} requires a duration of 8 seconds.`, 'duration');
  return {
    prompt,
    seconds,
    resolution: OURS[resolution],
    isLandscape: given.aspect_ratio === '16:9',
    seed,
    isSilent: !given.generate_audio,
    ...frames,
  };
};
