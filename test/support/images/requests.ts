import type { ServiceAccess } from '../http.ts';
import { dataUri, PNG } from '../images.ts';
import { IMAGE_MODEL } from './pictures.ts';

export const NATIVE = `/v1beta/models/${IMAGE_MODEL}:generateContent`;
export const VERTEX = `/v1/publishers/google/models/${IMAGE_MODEL}:generateContent`;
export const IMAGEN = '/v1beta/models/imagen-4.0-generate-001:predict';
export const CHAT = '/v1/chat/completions';
export const GENERATIONS = '/v1/images/generations';
export const EDITS = '/v1/images/edits';
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
export const vendor = (key: string) => ({ 'x-vendor-api-key': key });
export const nativeBody = (text: string) => ({
  contents: [{ parts: [{ text }] }],
  generationConfig: { imageConfig: { imageSize: '512' } },
});
export const imagenBody = (prompt: string) => ({
  instances: [{ prompt }],
  parameters: { sampleImageSize: '512' },
});
export const chatBody = (content: string) => ({
  model: IMAGE_MODEL,
  messages: [{ role: 'user', content }],
  imageConfig: { imageSize: '512' },
});
export const generationBody = (prompt: string) => ({ model: IMAGE_MODEL, prompt, size: '512x512' });
export const editBody = (prompt: string) => ({
  ...generationBody(prompt),
  images: [{ image_url: dataUri(PNG, 'image/png') }],
});

/** One request, its answer read as JSON. */
export const post = async (
  { baseUrl }: ServiceAccess,
  path: string,
  headers: Record<string, string>,
  body: unknown,
) => {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};
