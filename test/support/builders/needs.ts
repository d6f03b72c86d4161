import type { Needs, VideoNeeds } from '../../../functions/upstream/domain/needs.ts';

/** A video from text, with what a test needs to be different. */
export const aVideo = (change: Partial<VideoNeeds> = {}) =>
  ({
    medium: 'video',
    mode: 'text',
    seconds: 8,
    resolution: '720p',
    aspectRatio: '16:9',
    seed: false,
    negativePrompt: false,
    ...change,
  }) as const satisfies Needs;

/** An image of which every upstream is capable. */
export const ANY_IMAGE = { medium: 'image', parts: [] } as const satisfies Needs;
