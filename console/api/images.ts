import { IMAGE_MODEL } from '../../functions/platform/domain/models.ts';
import { texts } from '../texts/texts.ts';
import { send } from './request.ts';
import type { RequestImage } from './uploads.ts';

export type ImageRequest = {
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly inputs: readonly RequestImage[];
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

const toRequestBody = async (request: ImageRequest) => ({
  contents: [
    {
      parts: [{ text: request.prompt }, ...(await Promise.all(request.inputs.map(toPart)))],
    },
  ],
  generationConfig: {
    responseModalities: ['IMAGE'],
    imageConfig: { aspectRatio: request.aspectRatio, imageSize: request.imageSize },
  },
});

type GeneratedImage = {
  readonly blob: Blob;
  /** Undefined if the service does not store images. */
  readonly fileId: string | undefined;
};

/** Repeating the request with its key returns the stored image, without another charge. */
export const generateImage = async (
  request: ImageRequest,
  idempotencyKey: string,
): Promise<GeneratedImage> => {
  const response = await send(`/v1beta/models/${IMAGE_MODEL}:generateContent`, {
    method: 'POST',
    body: JSON.stringify(await toRequestBody(request)),
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  });
  const { candidates }: ImageResponse = await response.json();
  const parts = candidates[0]?.content?.parts ?? [];
  const image = parts.findLast(({ thought, inlineData }) => thought !== true && inlineData !== undefined);
  if (image?.inlineData === undefined) throw new Error(texts.errors.noImage);
  return {
    blob: fromBase64(image.inlineData),
    fileId: response.headers.get('x-file-id') ?? undefined,
  };
};
