import { IMAGE_MODEL } from '../../functions/platform/domain/models.ts';
import { texts } from '../texts.ts';
import { sendJson } from './request.ts';
import { withImages } from './request-images.ts';
import type { RequestImage } from './shapes.ts';

export type ImageOrder = {
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly inputs: readonly File[];
};

type Part = { readonly text?: string; readonly thought?: boolean; readonly inlineData?: InlineData };
type InlineData = { readonly mimeType: string; readonly data: string };
type Answer = { readonly candidates: readonly { readonly content?: { readonly parts?: readonly Part[] } }[] };

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const fromBase64 = ({ data, mimeType }: InlineData): Blob =>
  new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: mimeType });

const imagePart = async (image: RequestImage) =>
  image instanceof File
    ? { inlineData: { mimeType: image.type, data: await toBase64(image) } }
    : { fileData: { fileUri: `files/${image.fileId}` } };

const imageBody = async (order: ImageOrder, images: readonly RequestImage[]) => ({
  contents: [
    {
      parts: [{ text: order.prompt }, ...(await Promise.all(images.map(imagePart)))],
    },
  ],
  generationConfig: {
    responseModalities: ['IMAGE'],
    imageConfig: { aspectRatio: order.aspectRatio, imageSize: order.imageSize },
  },
});

export const generateImage = async (order: ImageOrder): Promise<Blob> => {
  const answer = await withImages(order.inputs, async (images) =>
    sendJson<Answer>('POST', `/v1beta/models/${IMAGE_MODEL}:generateContent`, await imageBody(order, images)),
  );
  const parts = answer.candidates[0]?.content?.parts ?? [];
  const image = parts.findLast(({ thought, inlineData }) => thought !== true && inlineData !== undefined);
  if (image?.inlineData === undefined) throw new Error(texts.errors.noImage);
  return fromBase64(image.inlineData);
};
