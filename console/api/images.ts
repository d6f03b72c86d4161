import { IMAGE_MODEL } from '../../functions/platform/domain/models.ts';
import { texts } from '../texts/texts.ts';
import { withImages } from './image-files.ts';
import { send } from './request.ts';
import type { RequestImage } from './uploads.ts';

export type ImageRequest = {
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly inputs: readonly File[];
};

type Part = { readonly text?: string; readonly thought?: boolean; readonly inlineData?: InlineData };
type InlineData = { readonly mimeType: string; readonly data: string };
type ImageResponse = {
  readonly candidates: readonly { readonly content?: { readonly parts?: readonly Part[] } }[];
};

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const fromBase64 = ({ data, mimeType }: InlineData): Blob =>
  new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], { type: mimeType });

const toPart = async (image: RequestImage) =>
  image instanceof File
    ? { inlineData: { mimeType: image.type, data: await toBase64(image) } }
    : { fileData: { fileUri: `files/${image.fileId}` } };

const toRequestBody = async (request: ImageRequest, images: readonly RequestImage[]) => ({
  contents: [
    {
      parts: [{ text: request.prompt }, ...(await Promise.all(images.map(toPart)))],
    },
  ],
  generationConfig: {
    responseModalities: ['IMAGE'],
    imageConfig: { aspectRatio: request.aspectRatio, imageSize: request.imageSize },
  },
});

type GeneratedImage = {
  readonly blob: Blob;
  /** The file in which the service keeps the image, if it does. */
  readonly fileId: string | undefined;
};

export const generateImage = async (request: ImageRequest): Promise<GeneratedImage> => {
  const response = await withImages(request.inputs, async (images) =>
    send(`/v1beta/models/${IMAGE_MODEL}:generateContent`, {
      method: 'POST',
      body: JSON.stringify(await toRequestBody(request, images)),
      headers: { 'content-type': 'application/json' },
    }),
  );
  const { candidates }: ImageResponse = await response.json();
  const parts = candidates[0]?.content?.parts ?? [];
  const image = parts.findLast(({ thought, inlineData }) => thought !== true && inlineData !== undefined);
  if (image?.inlineData === undefined) throw new Error(texts.errors.noImage);
  const fileId = response.headers.get('x-file-id') ?? undefined;
  return { blob: fromBase64(image.inlineData), fileId };
};
