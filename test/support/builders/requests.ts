import type { InputImage } from '../../../functions/catalogue/domain/input-image.ts';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import {
  type GeneratedImage,
  type ImageRequest,
  textPart,
} from '../../../functions/upstream/domain/image-request.ts';
import type { VideoRequest } from '../../../functions/videos/domain/video-request.ts';

export const TEXT_REQUEST: VideoRequest = {
  model: 'video-3.1-generate-preview',
  prompt: 'a lighthouse',
  seconds: 6,
  resolution: '720p',
  aspectRatio: '16:9',
  negativePrompt: undefined,
  seed: 0,
  mode: 'text',
  inputs: [],
};

const image = (...bytes: number[]): InputImage => ({ bytes: new Uint8Array(bytes), mimeType: 'image/png' });

export const FRAMES_REQUEST: VideoRequest = {
  ...TEXT_REQUEST,
  seconds: 8,
  mode: 'first_and_last_frame',
  inputs: [
    { role: 'first_frame', image: image(1) },
    { role: 'last_frame', image: image(2) },
  ],
};

export const IMAGE_REQUEST: ImageRequest = {
  model: IMAGE_MODEL,
  turns: [{ role: 'user', parts: [textPart('A fox')] }],
  config: { aspectRatio: undefined, imageSize: '2K' },
  modalities: ['IMAGE'],
  sampling: {},
};

export const GENERATED_IMAGE: GeneratedImage = {
  outcome: 'image',
  image: { mimeType: 'image/jpeg', base64: 'AAAA' },
  text: 'Here',
  cutShort: false,
  tokens: { prompt: 1, output: 2, total: 3 },
  document: {},
};
