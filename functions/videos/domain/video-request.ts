import type { GivenImage } from '../../catalogue/domain/input-image.ts';
import {
  type AspectRatio,
  allowedSeconds,
  describeSeconds,
  MODE_NAMES,
  pixelSizes,
  type Resolution,
  type VideoMode,
  type VideoModel,
  type VideoModelEntry,
  videoModelEntry,
} from '../../catalogue/domain/models.ts';
import { DomainError, invalidField } from '../../platform/domain/errors.ts';
import type { GenerationRequest, InputRole } from '../../upstream/domain/video-generator.ts';

/** The fields that a client sent, each checked on its own; absent fields are undefined. */
export type VideoDraft = {
  readonly model: VideoModel;
  readonly prompt: string;
  readonly seconds?: number | undefined;
  readonly duration?: number | undefined;
  readonly size?: string | undefined;
  readonly resolution?: Resolution | undefined;
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

/** A request that the upstream accepts, independent of the API that it came through. */
export type VideoRequest = GenerationRequest & {
  readonly inputs: readonly { readonly role: InputRole; readonly image: GivenImage }[];
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
const resolveDuration = (
  { metadata, duration, seconds }: VideoDraft,
  { defaults }: VideoModelEntry,
): number => metadata.durationSeconds ?? duration ?? seconds ?? defaults.seconds;

const durationField = ({ metadata, duration }: VideoDraft) => {
  if (metadata.durationSeconds !== undefined) return 'durationSeconds';
  return duration !== undefined ? 'duration' : 'seconds';
};

// "Resolution order: metadata.resolution, then size, then default 720p"; forms send the first as `resolution`.
const resolveResolution = ({ metadata, resolution, size }: VideoDraft, entry: VideoModelEntry): Resolution =>
  metadata.resolution ??
  resolution ??
  pixelSizes(entry).get(size ?? '')?.resolution ??
  entry.defaults.resolution;

// "Aspect ratio order: explicit aspectRatio, then derived from size, then 16:9."
const resolveAspectRatio = ({ aspectRatio, size }: VideoDraft, entry: VideoModelEntry): AspectRatio =>
  aspectRatio ?? pixelSizes(entry).get(size ?? '')?.aspectRatio ?? entry.defaults.aspectRatio;

const resolveImages = (
  { firstFrame, lastFrame, references }: VideoDraft,
  { maxReferences }: VideoModelEntry,
  nameField: FieldNames,
): Pick<VideoRequest, 'mode' | 'inputs'> => {
  if (references.length > maxReferences)
    throw invalidField(
      nameField('reference_images'),
      `At most ${maxReferences} reference images are accepted, but ${references.length} were sent.`,
    );
  if (references.length > 0 && (firstFrame || lastFrame))
    throw invalidField(
      nameField('reference_images'),
      `Reference images cannot be combined with ${nameField('input_reference')} or ${nameField('last_frame')}: send one or the other.`,
    );
  if (references.length > 0)
    return { mode: 'references', inputs: references.map((image) => ({ role: 'reference', image })) };
  if (lastFrame && !firstFrame)
    throw invalidField(
      nameField('input_reference'),
      `${nameField('last_frame')} requires a first frame: send it as ${nameField('input_reference')}.`,
    );
  if (!firstFrame) return { mode: 'text', inputs: [] };
  const first = { role: 'first_frame', image: firstFrame } as const;
  if (!lastFrame) return { mode: 'first_frame', inputs: [first] };
  return { mode: 'first_and_last_frame', inputs: [first, { role: 'last_frame', image: lastFrame }] };
};

const checkNegativePrompt = (
  { model, negativePrompt }: VideoDraft,
  mode: VideoMode,
  accepted: readonly VideoMode[],
  nameField: FieldNames,
): void => {
  if (negativePrompt === undefined || accepted.includes(mode)) return;
  const param = nameField('negativePrompt');
  if (accepted.length > 0)
    throw new DomainError('INVALID_ARGUMENT', 'Negative prompt is not supported in your use case', { param });
  throw new DomainError('not_offered', `${model} has no negative prompt: say in the prompt what to avoid.`, {
    param,
  });
};

/** What the specification recommends, but does not require; undefined if the request follows it. */
export const adviseVideo = ({ model, mode, seconds }: GenerationRequest): string | undefined => {
  const recommended = videoModelEntry(model).recommendedSeconds[mode];
  return recommended === undefined || recommended === seconds
    ? undefined
    : `${recommended} seconds are recommended with ${MODE_NAMES[mode]}`;
};

/** Checks how the options combine, by the model's entry in the catalogue. */
export const resolveVideoRequest = (
  draft: VideoDraft,
  nameField: FieldNames = (field) => field,
): VideoRequest => {
  const entry = videoModelEntry(draft.model);
  const seconds = resolveDuration(draft, entry);
  const resolution = resolveResolution(draft, entry);
  const { mode, inputs } = resolveImages(draft, entry, nameField);

  const allowed = allowedSeconds(entry, resolution, mode);
  if (!allowed.seconds.includes(seconds))
    throw invalidField(
      nameField(durationField(draft)),
      `${allowed.reason} requires ${describeSeconds(allowed.seconds)} seconds, but ${seconds} were requested.`,
    );
  checkNegativePrompt(draft, mode, entry.negativePrompt, nameField);
  if (draft.seed !== undefined && !entry.seed)
    throw new DomainError('not_offered', `${draft.model} has no seed: leave it out.`, {
      param: nameField('seed'),
    });

  return {
    model: draft.model,
    prompt: draft.prompt,
    seconds,
    resolution,
    aspectRatio: resolveAspectRatio(draft, entry),
    negativePrompt: draft.negativePrompt,
    seed: draft.seed,
    mode,
    inputs,
  };
};
