import * as z from 'zod/mini';
import { imagePixels } from '../../../catalogue/domain/image-sizes.ts';
import { isJpeg, readImageHeader } from '../../../catalogue/domain/input-image.ts';
import { noImage, unreadableAnswer } from '../../adapters/image-format.ts';
import { lenient, lenientCount } from '../../adapters/lenient.ts';
import { Form, formFields, imageFile } from '../../adapters/request-bodies.ts';
import { UpstreamError } from '../../domain/faults.ts';
import { type ImageAnswer, type ImageRequest, nativeDocument } from '../../domain/image-request.ts';

/** Requests and responses of the OpenAI Images API: a prompt and images. */

const isOneUserTurn = ({ turns }: ImageRequest): boolean => turns.length === 1 && turns[0]?.role === 'user';

/** Routing keeps all other requests away. */
const requireExpressible = (request: ImageRequest): void => {
  const { systemInstruction, safetySettings, sampling } = request;
  const hasSampling = Object.values(sampling).some((value) => value !== undefined);
  if (!isOneUserTurn(request) || hasSampling || (systemInstruction ?? safetySettings) !== undefined)
    throw new UpstreamError(
      'operator',
      'The Images API takes one prompt, without instructions, sampling options and safety settings.',
    );
};

type ImagesCall = { readonly path: string; readonly body: unknown };

export const toImagesCall = (model: string, request: ImageRequest): ImagesCall => {
  requireExpressible(request);
  const parts = request.turns.flatMap((turn) => turn.parts);
  const texts = parts.flatMap(({ content }) => (content.kind === 'text' ? [content.text] : []));
  const images = parts.flatMap(({ content }) => (content.kind === 'image' ? [content.image] : []));
  const fields = {
    model,
    prompt: texts.join('\n'),
    size: imagePixels(request.config),
    n: 1,
    response_format: 'b64_json',
  };
  if (images.length === 0) return { path: 'v1/images/generations', body: fields };
  const files = images.map((image, index) => imageFile('image[]', image, index));
  return { path: 'v1/images/edits', body: new Form([...formFields(fields), ...files]) };
};

const responseSchema = z.object({
  data: z.array(z.object({ b64_json: z.optional(z.nullable(z.string())) })),
  usage: lenient(
    z.object({
      input_tokens: lenientCount,
      output_tokens: lenientCount,
      total_tokens: lenientCount,
      input_tokens_details: lenient(z.object({ image_tokens: lenientCount }), undefined),
    }),
    undefined,
  ),
});

/** Characters of Base64 that contain the signature of any image. */
const HEAD_CHARACTERS = 64;

/** The type is read from the bytes, because the response does not always name it. */
const readType = (base64: string): string => {
  const head = Buffer.from(base64.slice(0, HEAD_CHARACTERS), 'base64');
  const type = isJpeg(head) ? 'image/jpeg' : readImageHeader(head)?.mimeType;
  if (type === undefined) throw unreadableAnswer();
  return type;
};

export const readImages = (received: unknown): ImageAnswer => {
  const parsed = responseSchema.safeParse(received);
  if (!parsed.success) throw unreadableAnswer();
  const { data, usage } = parsed.data;
  const [first] = data;
  if (first === undefined) return noImage(undefined, '');
  const base64 = first.b64_json ?? '';
  const answer = {
    image: { mimeType: readType(base64), base64 },
    text: '',
    cutShort: false,
    tokens: {
      prompt: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      total: usage?.total_tokens ?? 0,
    },
  };
  const promptImageTokens = usage?.input_tokens_details?.image_tokens;
  return { outcome: 'image', ...answer, promptImageTokens, document: nativeDocument(answer) };
};
