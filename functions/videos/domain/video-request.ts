import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import type { GivenImage } from '../../platform/domain/input-image.ts';
import {
  type AspectRatio,
  DEFAULT_ASPECT_RATIO,
  DEFAULT_DURATION,
  DEFAULT_RESOLUTION,
  DURATIONS,
  type Duration,
  isOneOf,
  MAX_REFERENCE_IMAGES,
  PIXEL_SIZES,
  type PixelSize,
  type Resolution,
  type VideoMode,
  type VideoModel,
} from '../../platform/domain/models.ts';

/** The fields that a client sent, each checked on its own; absent fields are undefined. */
export type VideoDraft = {
  readonly model: VideoModel;
  readonly prompt: string;
  readonly seconds: number | undefined;
  readonly duration: number | undefined;
  readonly size: PixelSize | undefined;
  readonly resolution: Resolution | undefined;
  readonly aspectRatio: AspectRatio | undefined;
  readonly negativePrompt: string | undefined;
  readonly seed: number | undefined;
  readonly metadata: {
    readonly durationSeconds: number | undefined;
    readonly resolution: Resolution | undefined;
  };
  readonly firstFrame: GivenImage | undefined;
  readonly lastFrame: GivenImage | undefined;
  readonly references: readonly GivenImage[];
};

export type VideoImages =
  | { readonly mode: 'text' }
  | { readonly mode: 'first_frame'; readonly firstFrame: GivenImage }
  | { readonly mode: 'first_and_last_frame'; readonly firstFrame: GivenImage; readonly lastFrame: GivenImage }
  | { readonly mode: 'references'; readonly references: readonly GivenImage[] };

/** A request that the upstream accepts, independent of the API that it came through. */
export type VideoRequest = {
  readonly model: VideoModel;
  readonly prompt: string;
  readonly seconds: Duration;
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly negativePrompt: string | undefined;
  readonly seed: number | undefined;
  readonly images: VideoImages;
};

/** Names a field as the client wrote it. */
export type FieldNames = (
  field:
    | 'prompt'
    | 'seconds'
    | 'duration'
    | 'durationSeconds'
    | 'resolution'
    | 'aspectRatio'
    | 'seed'
    | 'negativePrompt'
    | 'input_reference'
    | 'last_frame'
    | 'reference_images',
) => string;

// "Duration resolution order: metadata.durationSeconds, then duration, then seconds, then default 8."
const resolveDuration = (draft: VideoDraft, nameField: FieldNames): Duration => {
  const given = draft.metadata.durationSeconds ?? draft.duration ?? draft.seconds ?? DEFAULT_DURATION;
  if (isOneOf(DURATIONS, given)) return given;
  throw invalidField(
    nameField(durationField(draft)),
    `The duration must be one of ${listed(DURATIONS)} seconds.`,
  );
};

const durationField = ({ metadata, duration }: VideoDraft) => {
  if (metadata.durationSeconds !== undefined) return 'durationSeconds';
  return duration !== undefined ? 'duration' : 'seconds';
};

// "Resolution order: metadata.resolution, then size, then default 720p"; forms send the first as `resolution`.
const resolveResolution = ({ metadata, resolution, size }: VideoDraft): Resolution =>
  metadata.resolution ?? resolution ?? (size && PIXEL_SIZES[size].resolution) ?? DEFAULT_RESOLUTION;

// "Aspect ratio order: explicit aspectRatio, then derived from size, then 16:9."
const resolveAspectRatio = ({ aspectRatio, size }: VideoDraft): AspectRatio =>
  aspectRatio ?? (size && PIXEL_SIZES[size].aspectRatio) ?? DEFAULT_ASPECT_RATIO;

const resolveImages = (
  { firstFrame, lastFrame, references }: VideoDraft,
  nameField: FieldNames,
): VideoImages => {
  if (references.length > MAX_REFERENCE_IMAGES)
    throw invalidField(
      nameField('reference_images'),
      `At most ${MAX_REFERENCE_IMAGES} reference images are accepted, but ${references.length} were sent.`,
    );
  if (references.length > 0 && (firstFrame || lastFrame))
    throw invalidField(
      nameField('reference_images'),
      `Reference images cannot be combined with ${nameField('input_reference')} or ${nameField('last_frame')}: send one or the other.`,
    );
  if (references.length > 0) return { mode: 'references', references };
  if (lastFrame && !firstFrame)
    throw invalidField(
      'input_reference',
      `${nameField('last_frame')} requires a first frame: send it as input_reference.`,
    );
  if (firstFrame && lastFrame) return { mode: 'first_and_last_frame', firstFrame, lastFrame };
  return firstFrame ? { mode: 'first_frame', firstFrame } : { mode: 'text' };
};

/** The reason why a request must last 8 seconds; undefined if 4 and 6 are allowed too. */
export const needsEightSeconds = (resolution: Resolution, mode: VideoMode): string | undefined => {
  // "1080p and 4k require 8 seconds."
  if (resolution !== '720p') return `Resolution ${resolution}`;
  // "Reference images: at most 3, duration 8 seconds."
  if (mode === 'references') return 'A request with reference images';
  // "First-and-last-frame requests should use 8 seconds": the upstream rejects other durations.
  return mode === 'first_and_last_frame' ? 'A request with a first and a last frame' : undefined;
};

export const resolveVideoRequest = (
  draft: VideoDraft,
  nameField: FieldNames = (field) => field,
): VideoRequest => {
  const seconds = resolveDuration(draft, nameField);
  const resolution = resolveResolution(draft);
  const images = resolveImages(draft, nameField);

  const reason = needsEightSeconds(resolution, images.mode);
  if (reason !== undefined && seconds !== 8)
    throw invalidField(
      nameField(durationField(draft)),
      `${reason} requires 8 seconds, but ${seconds} were requested.`,
    );
  if (images.mode === 'references' && draft.negativePrompt !== undefined)
    throw new DomainError('INVALID_ARGUMENT', 'Negative prompt is not supported in your use case', {
      param: nameField('negativePrompt'),
    });

  return {
    model: draft.model,
    prompt: draft.prompt,
    seconds,
    resolution,
    aspectRatio: resolveAspectRatio(draft),
    negativePrompt: draft.negativePrompt,
    seed: draft.seed,
    images,
  };
};
