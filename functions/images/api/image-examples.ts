import { PIXEL } from '../../catalogue/api/image.ts';
import { IMAGE_MODEL } from '../../catalogue/domain/models.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import { type GeneratedImage, nativeDocument } from '../../upstream/domain/image-request.ts';
import { chatCompletion } from './chat-completion.ts';
import { imagenResponse } from './imagen.ts';
import { imagesResponse } from './images-response.ts';
import { toNativeResponse } from './native-image.ts';

/** Can be sent as they are. */
export const IMAGE_REQUEST_EXAMPLES = {
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
  imagen: {
    text: { instances: [{ prompt: 'A fox in the snow' }] },
    options: {
      instances: [{ prompt: 'A fox in the snow' }],
      parameters: {
        sampleCount: 2,
        aspectRatio: '16:9',
        sampleImageSize: '2K',
        personGeneration: 'allow_adult',
        safetySetting: 'block_only_high',
        includeRaiReason: true,
        outputOptions: { mimeType: 'image/jpeg' },
      },
    },
  },
  generateImages: {
    text: { model: IMAGE_MODEL, prompt: 'A fox in the snow' },
    options: {
      model: IMAGE_MODEL,
      prompt: 'A fox in the snow',
      size: '1536x1024',
      output_format: 'webp',
      output_compression: 80,
      response_format: 'b64_json',
      n: 2,
      stream: false,
    },
  },
  editImages: {
    image: {
      model: IMAGE_MODEL,
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

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const image = {
  image: { mimeType: 'image/png', base64: PIXEL },
  text: 'Here is your fox.',
  cutShort: false,
  tokens: { prompt: 6, output: 1120, total: 1126 },
};
const generated: GeneratedImage = { outcome: 'image', ...image, document: nativeDocument(image) };
const envelope = { requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef', time: CREATED_AT };

const BLOCKED = new DomainError('content_blocked', 'The prompt was blocked: PROHIBITED_CONTENT');

export const IMAGE_RESPONSE_EXAMPLES = {
  native: { image: toNativeResponse(generated) },
  nativeList: { image: [toNativeResponse(generated)] },
  imagen: {
    image: imagenResponse([generated], false),
    filtered: imagenResponse([generated, BLOCKED], true),
    failure: imagenResponse([generated, BLOCKED], false),
  },
  images: {
    image: imagesResponse(CREATED_AT, { made: [generated], failures: [] }),
    failure: imagesResponse(CREATED_AT, {
      made: [{ ...generated, url: 'https://media.example.com/files/image.jpg?X-Amz-Signature=example' }],
      failures: [{ index: 1, error: BLOCKED }],
    }),
  },
  chat: {
    markdown: chatCompletion(envelope, generated, 'markdown'),
    images: chatCompletion(envelope, generated, 'list'),
  },
};
