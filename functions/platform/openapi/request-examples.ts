import { PIXEL } from '../body/image.ts';
import { IMAGE_MODEL, VIDEO_MODELS } from '../domain/models.ts';

/** Examples of requests; they can be sent as they stand. */

const [model] = VIDEO_MODELS;
const prompt = 'A fox runs through fresh snow at sunrise, quiet footsteps';
const image = { bytesBase64Encoded: PIXEL, mimeType: 'image/png' };

export const REQUEST_EXAMPLES = {
  createVideo: {
    text: { model, prompt, seconds: '8', size: '1280x720' },
    metadata: {
      model,
      prompt,
      metadata: {
        durationSeconds: 8,
        resolution: '1080p',
        aspectRatio: '9:16',
        negativePrompt: 'text',
        seed: 7,
      },
    },
    first_and_last_frame: {
      model,
      prompt,
      input_reference: `data:image/png;base64,${PIXEL}`,
      last_frame: image,
    },
    reference_images: {
      model,
      prompt,
      metadata: { reference_images: [{ image, referenceType: 'asset' }] },
    },
  },
  createVideoForm: { text: { model, prompt, seconds: '8', size: '720x1280' } },
  nativeVideo: {
    text: {
      instances: [{ prompt }],
      parameters: { durationSeconds: 8, aspectRatio: '16:9', sampleCount: 1 },
    },
    first_and_last_frame: { instances: [{ prompt, image, lastFrame: image }] },
    reference_images: { instances: [{ prompt, referenceImages: [{ image, referenceType: 'asset' }] }] },
  },
  native: {
    text: {
      contents: [{ parts: [{ text: 'A fox in the snow' }] }],
      generationConfig: {
        responseModalities: ['image'],
        imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      },
    },
    edit: {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Make it night' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }],
        },
      ],
    },
  },
  generateImages: {
    text: { prompt: 'A fox in the snow' },
    options: {
      model: IMAGE_MODEL,
      prompt: 'A fox in the snow',
      size: '1536x1024',
      output_format: 'jpeg',
      response_format: 'b64_json',
      n: 1,
      stream: false,
    },
  },
  editImages: {
    image: {
      prompt: 'Make it night',
      images: [{ image_url: `data:image/png;base64,${PIXEL}` }],
      aspectRatio: '16:9',
      imageSize: '2K',
    },
  },
  chat: {
    extra_body: {
      model: IMAGE_MODEL,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'A fox in the snow' }] }],
      extra_body: { imageConfig: { aspectRatio: '16:9', imageSize: '2K' } },
    },
    system_message: {
      model: IMAGE_MODEL,
      messages: [
        { role: 'system', content: '{"aspectRatio":"9:16","imageSize":"1K"}' },
        { role: 'user', content: 'A fox in the snow' },
      ],
      modalities: ['text', 'image'],
    },
  },
} as const;
