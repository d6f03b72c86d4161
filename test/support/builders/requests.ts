import type { InputImage } from '../../../functions/domain/input-image.ts';
import type { VideoRequest } from '../../../functions/domain/video-request.ts';

export const TEXT_REQUEST: VideoRequest = {
  model: 'video-3.1-generate-preview',
  prompt: 'a lighthouse',
  seconds: 6,
  resolution: '720p',
  aspectRatio: '16:9',
  negativePrompt: undefined,
  seed: 0,
  images: { mode: 'text' },
};

const image = (...bytes: number[]): InputImage => ({ bytes: new Uint8Array(bytes), mimeType: 'image/png' });

export const FRAMES_REQUEST: VideoRequest = {
  ...TEXT_REQUEST,
  seconds: 8,
  images: { mode: 'first_and_last_frame', firstFrame: image(1), lastFrame: image(2) },
};
