import * as z from 'zod/mini';
import type { VideoCapabilities } from '../domain/models.ts';
import {
  ASPECT_RATIOS,
  DURATIONS,
  RESOLUTIONS,
  secondsByMode,
  VIDEO_MODES,
  type VideoModel,
  videoModelEntry,
} from '../domain/models.ts';

/** The values that create requests can have, as the model list and the console's session state them. */

const values = <Value extends z.core.$ZodType>(value: Value, description: string) =>
  z.array(value).check(z.describe(description));

const durations = z.optional(z.array(z.literal(DURATIONS)));

export const videoCapabilitiesSchema = z
  .object({
    modes: values(
      z.enum(VIDEO_MODES),
      'What a video can be made from besides the prompt: nothing (text), a first frame, a first and a last frame, or reference images.',
    ),
    seconds: values(z.literal(DURATIONS), 'The durations.'),
    seconds_by_mode: z
      .object({
        text: durations,
        first_frame: durations,
        first_and_last_frame: durations,
        references: durations,
      })
      .check(z.describe('The durations of each mode, at the lowest resolution.')),
    resolutions: values(z.enum(RESOLUTIONS), 'The resolutions.'),
    aspect_ratios: values(z.enum(ASPECT_RATIOS), 'The aspect ratios.'),
    seed: z.boolean().check(z.describe('Whether a request can have a seed.')),
    negative_prompt: z.boolean().check(z.describe('Whether a request can have a negative prompt.')),
  })
  .check(z.describe('Options of a video model.'));

export type VideoCapabilitiesObject = z.infer<typeof videoCapabilitiesSchema>;

export const videoCapabilitiesObject = (
  model: VideoModel,
  can: VideoCapabilities,
): VideoCapabilitiesObject => ({
  modes: [...can.modes],
  seconds: [...can.seconds],
  seconds_by_mode: secondsByMode(can, videoModelEntry(model)),
  resolutions: [...can.resolutions],
  aspect_ratios: [...can.aspectRatios],
  seed: can.seed,
  negative_prompt: can.negativePrompt,
});
