import type { InputImage } from '../../catalogue/domain/input-image.ts';
import type { AspectRatio, Resolution, VideoMode, VideoModel } from '../../catalogue/domain/models.ts';
import type { Cost } from '../../platform/domain/money.ts';
import type { ForUpstreams, UpstreamReference } from './upstreams.ts';

/** What an upstream is asked for. Its images are passed beside it. */
export type GenerationRequest = {
  readonly model: VideoModel;
  readonly mode: VideoMode;
  readonly prompt: string;
  readonly seconds: number;
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly negativePrompt: string | undefined;
  readonly seed: number | undefined;
};

export const INPUT_ROLES = ['first_frame', 'last_frame', 'reference'] as const;
export type InputRole = (typeof INPUT_ROLES)[number];
export type LoadedInput = InputImage & { readonly role: InputRole };

/** An input image cannot be sent to the upstream; a retry cannot help. The message is for the owner of the task. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

/** The reason why there is no video, from the upstream or from this service. */
export const VIDEO_ERROR_CODES = [
  'upstream_rejected',
  'upstream_unavailable',
  'rate_limited',
  'content_blocked',
  'generation_timeout',
  'queue_timeout',
  'model_unavailable',
  'cancelled',
  'internal',
] as const;
export type VideoErrorCode = (typeof VIDEO_ERROR_CODES)[number];
export type VideoError = { readonly code: VideoErrorCode; readonly message: string };

/** Where the upstream keeps a finished video: at an address, or inside its response. */
export type VideoSource = { readonly kind: 'address'; readonly uri: string } | { readonly kind: 'inline' };

export type OperationState =
  | { readonly state: 'pending' }
  /** `cost` is what the upstream charged for the video, if it says so. */
  | { readonly state: 'done'; readonly source: VideoSource; readonly cost?: Cost | undefined }
  | { readonly state: 'failed'; readonly error: VideoError };

/** An asynchronous generator: `submit` returns an opaque operation, `check` returns its state. */
export type VideoGenerator = {
  /** Upstreams that know idempotency keys start one operation for all submits with the same key. */
  submit(request: GenerationRequest, inputs: readonly LoadedInput[], idempotencyKey: string): Promise<string>;
  check(operation: string): Promise<OperationState>;
  open(operation: string, source: VideoSource): Promise<AsyncIterable<Uint8Array>>;
  /** Deletes the upstream's copy of a video that is stored here. */
  discard?(operation: string, source: VideoSource): Promise<void>;
  /** Stops an operation whose result nobody waits for any more. */
  cancel?(operation: string): Promise<void>;
};

export type VideoGenerators = ForUpstreams<VideoGenerator> & {
  /** Converts images that the upstream does not take. Throws UnusableInput if one cannot be converted. */
  prepare?(inputs: readonly LoadedInput[], upstream: UpstreamReference): Promise<readonly LoadedInput[]>;
};

/** In milliseconds. Longer than any upstream takes to accept a request. */
export const SUBMIT_TIMEOUT = 40_000;
