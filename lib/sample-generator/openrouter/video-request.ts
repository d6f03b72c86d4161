import * as z from 'zod';
import { readDataUrl, validate } from '../request-body.ts';
import type { Resolution } from '../test-prompts.ts';
import { invalid } from '../upstream-error.ts';
import type { VideoRequest } from '../video-request.ts';
import { ASPECT_RATIOS, DURATIONS, FRAME_TYPES, RESOLUTIONS, SIZES } from './catalogue.ts';

const frame = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().min(1) }),
  frame_type: z.enum(FRAME_TYPES),
});

const passthrough = z.object({
  parameters: z.looseObject({ negativePrompt: z.string().optional() }).optional(),
});

/** All fields of the documentation. Others are refused, so that a misspelled one is noticed. */
const body = z.strictObject({
  model: z.string(),
  prompt: z.string().default(''),
  duration: z.literal(DURATIONS).default(8),
  resolution: z.enum(RESOLUTIONS).optional(),
  aspect_ratio: z.enum(ASPECT_RATIOS).optional(),
  size: z.enum(SIZES).optional(),
  generate_audio: z.boolean().default(false),
  seed: z.int().optional(),
  frame_images: z.array(frame).default([]),
  // The effect on Veo is not documented: they are accepted and have none.
  input_references: z.array(z.looseObject({ type: z.string() })).optional(),
  provider: z
    .object({ options: z.looseObject({ 'google-vertex': passthrough.optional() }).optional() })
    .optional(),
  callback_url: z.url({ protocol: /^https$/ }).optional(),
  session_id: z.string().max(256).optional(),
  trace: z.looseObject({}).optional(),
  user: z.string().optional(),
});

type Body = z.infer<typeof body>;

const OURS = { '720p': '720p', '1080p': '1080p', '4K': '4k' } as const satisfies Record<
  (typeof RESOLUTIONS)[number],
  Resolution
>;

const SIZE_RESOLUTIONS: Readonly<Record<number, Resolution>> = { 720: '720p', 1080: '1080p', 2160: '4k' };

/** `size` replaces resolution and aspect ratio. */
const readCanvas = ({ size, resolution, aspect_ratio: aspectRatio }: Body) => {
  if (size === undefined)
    return { resolution: OURS[resolution ?? '720p'], isLandscape: aspectRatio !== '9:16' };
  if (resolution !== undefined || aspectRatio !== undefined)
    throw invalid('Use either size, or resolution and aspect_ratio.', 'size');
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { resolution: SIZE_RESOLUTIONS[Math.min(width, height)] ?? '720p', isLandscape: width > height };
};

const readFrames = (frames: Body['frame_images']) => {
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
  const { prompt, duration, seed, frame_images: frames, generate_audio: hasSound } = given;
  const { resolution, isLandscape } = readCanvas(given);
  const { first, last } = readFrames(frames);
  if (prompt === '' && first === undefined) throw invalid('prompt is required.', 'prompt');
  if (resolution !== '720p' && duration !== 8)
    throw invalid(`${resolution === '4k' ? '4K' : resolution} requires a duration of 8 seconds.`, 'duration');
  return { prompt, seconds: duration, resolution, isLandscape, seed, isSilent: !hasSound, first, last };
};
