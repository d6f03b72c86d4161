import type { VideoCapabilitiesObject } from '../../functions/catalogue/api/video-capabilities.ts';
import { combineEntries, videoModelEntry } from '../../functions/catalogue/domain/models.ts';

/** The options of a model of the specification, in the format of the API. */
export const EVERY_OPTION: VideoCapabilitiesObject = {
  modes: ['text', 'first_frame', 'first_and_last_frame', 'references'],
  seconds: [
    ...combineEntries([
      videoModelEntry('video-3.1-generate-preview'),
      videoModelEntry('video-3.1-fast-generate-preview'),
    ]).seconds,
  ],
  seconds_by_mode: {
    text: [4, 6, 8],
    first_frame: [4, 6, 8],
    first_and_last_frame: [4, 6, 8],
    references: [8],
  },
  resolutions: ['720p', '1080p', '4k'],
  aspect_ratios: ['16:9', '9:16'],
  seed: true,
  negative_prompt: true,
};
