import * as z from 'zod/mini';
import { checkedImage, decodeBase64, fileName, imageUrl } from '../../catalogue/api/image.ts';
import type { FileReference, GivenImage } from '../../catalogue/domain/input-image.ts';
import { isFields, ownField } from '../../platform/body/fields.ts';
import { type NotingPayload, notingTransform } from '../../platform/body/ignored-fields.ts';
import { refuse } from '../../platform/body/parse.ts';
import { filledList, forms, leaf, list, map, text } from '../../platform/body/schema.ts';
import { noteUnread } from '../../platform/body/unknown-fields.ts';
import {
  type GivenImagePart,
  imagePart,
  MAX_PARTS,
  MAX_TURNS,
  textPart,
} from '../../upstream/domain/image-request.ts';
import { toFileId } from '../domain/response.ts';

/** The field `input`: a text, or a list of messages and of images of earlier responses. */

export type InputItem =
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'user'; readonly parts: readonly GivenImagePart[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'image'; readonly image: GivenImage }
  | { readonly kind: 'nothing' };

const isString = (value: unknown): boolean => typeof value === 'string';
const typeName = (value: unknown): unknown => (isFields(value) ? ownField(value, 'type') : undefined);

const IMAGE_ADVICE = 'send images as input_image with image_url or file_id.';

/** Notes what a part or an item has beside the fields that are read. */
const reading =
  (read: readonly string[], harmless: readonly string[] = []) =>
  (value: unknown, context: NotingPayload): unknown => {
    if (isFields(value))
      noteUnread(value, { read: ['type', ...read], harmless, advice: IMAGE_ADVICE }, context);
    return value;
  };

const withoutUnread = <T extends z.core.$ZodType>(
  schema: T,
  read: readonly string[],
  harmless?: readonly string[],
) => z.pipe(notingTransform(reading(read, harmless)), schema);

const textPartSchema = withoutUnread(
  map(
    z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: text() }),
    ({ text: words }): GivenImagePart => textPart(words),
  ),
  ['text'],
  ['annotations', 'logprobs'],
);

const oneImage = map(
  z
    .object({
      type: z.literal('input_image'),
      image_url: z.optional(z.nullable(imageUrl)),
      file_id: z.optional(z.nullable(fileName)),
    })
    .check(z.describe('An image as a data URI, a public https address, or a file of the account.')),
  ({ image_url: address, file_id: file }, context): GivenImagePart => {
    const [image, other] = [address, file].filter((each) => each !== undefined && each !== null);
    if (image === undefined) return refuse(context, 'takes an image as image_url or file_id.');
    return other === undefined
      ? imagePart(image)
      : refuse(context, 'takes one of image_url, file_id, not both.');
  },
);
const imagePartSchema = withoutUnread(oneImage, ['image_url', 'file_id', 'detail']);

const PART_TYPES = 'must be a part of the type input_text or input_image.';
const isText = (value: unknown): boolean =>
  ['input_text', 'output_text', 'text'].includes(String(typeName(value)));
const isImage = (value: unknown): boolean => typeName(value) === 'input_image';

const userParts = forms<readonly GivenImagePart[]>(
  [
    [isString, map(text(), (words) => [textPart(words)])],
    [
      Array.isArray,
      list(
        forms<GivenImagePart>(
          [
            [isText, textPartSchema],
            [isImage, imagePartSchema],
          ],
          PART_TYPES,
        ),
        MAX_PARTS,
      ),
    ],
  ],
  'must be a string or a list of parts.',
);

const toText = (parts: readonly GivenImagePart[]): string =>
  parts.flatMap(({ content }) => (content.kind === 'text' ? [content.text] : [])).join('\n');

const textContent = forms<string>(
  [
    [isString, text()],
    [Array.isArray, map(list(textPartSchema, MAX_PARTS), toText)],
  ],
  'must be a string or a list of text parts.',
);

/** A refusal of an earlier response says nothing about the next image. */
const answerContent = z.pipe(
  z.transform((value: unknown) =>
    Array.isArray(value) && value.length <= MAX_PARTS
      ? value.filter((part) => typeName(part) !== 'refusal')
      : value,
  ),
  textContent,
);

const ROLES = 'must be one of user, system, developer, assistant.';
const hasRole =
  (...roles: readonly string[]) =>
  (value: unknown): boolean =>
    isFields(value) && roles.includes(String(ownField(value, 'role')));

/** Clients send earlier messages back with their id and status. */
const BESIDE_MESSAGE = ['id', 'status', 'phase'];

const message = forms<InputItem>(
  [
    [
      hasRole('user'),
      withoutUnread(
        map(z.object({ role: z.literal('user'), content: userParts }), ({ content }) => ({
          kind: 'user' as const,
          parts: content,
        })),
        ['role', 'content', ...BESIDE_MESSAGE],
      ),
    ],
    [
      hasRole('system', 'developer'),
      withoutUnread(
        map(z.object({ role: z.enum(['system', 'developer']), content: textContent }), ({ content }) => ({
          kind: 'instruction' as const,
          text: content,
        })),
        ['role', 'content', ...BESIDE_MESSAGE],
      ),
    ],
    [
      hasRole('assistant'),
      withoutUnread(
        map(z.object({ role: z.literal('assistant'), content: answerContent }), ({ content }) => ({
          kind: 'answer' as const,
          text: content,
        })),
        ['role', 'content', ...BESIDE_MESSAGE],
      ),
    ],
  ],
  `needs a role, which ${ROLES}`,
);

const callId = leaf(
  (value, context: z.core.ParsePayload): FileReference => {
    const fileId = typeof value === 'string' ? toFileId(value) : undefined;
    return fileId === undefined
      ? refuse(context, 'must be the id of an image of an earlier response, such as ig_abc.')
      : { fileId };
  },
  { type: 'string', description: 'The id of an image of an earlier response.', examples: ['ig_abc'] },
);

const hasResult = (value: unknown): boolean =>
  isFields(value) && typeof ownField(value, 'result') === 'string' && ownField(value, 'result') !== '';

const sentImage = leaf(
  (value, context: z.core.ParsePayload): GivenImage => {
    const bytes = typeof value === 'string' ? decodeBase64(value) : undefined;
    return bytes === undefined
      ? refuse(context, 'is not valid Base64.', { code: 'invalid_image' })
      : checkedImage(context, bytes);
  },
  { type: 'string', description: 'The image in Base64.' },
);

/** An image that a client sends back whole needs no file. */
const imageCall = forms<InputItem>(
  [
    [
      hasResult,
      map(z.object({ type: z.literal('image_generation_call'), result: sentImage }), ({ result }) => ({
        kind: 'image' as const,
        image: result,
      })),
    ],
    [
      () => true,
      map(z.object({ type: z.literal('image_generation_call'), id: callId }), ({ id }) => ({
        kind: 'image' as const,
        image: id,
      })),
    ],
  ],
  'must be an image of an earlier response.',
);

/** `msg_` and `rs_` name texts of earlier responses of other services. */
const reference = map(z.object({ type: z.literal('item_reference'), id: callId }), ({ id }) => ({
  kind: 'image' as const,
  image: id,
}));

const nothing = map(z.object({ type: z.literal('reasoning') }), () => ({ kind: 'nothing' as const }));

const isMessage = (value: unknown): boolean =>
  isFields(value) && (typeName(value) === 'message' || typeName(value) === undefined);
const isOf = (type: string) => (value: unknown) => typeName(value) === type;

const item = forms<InputItem>(
  [
    [isMessage, message],
    [isOf('image_generation_call'), imageCall],
    [isOf('item_reference'), reference],
    [isOf('reasoning'), nothing],
  ],
  'must be a message, an image_generation_call or an item_reference: the model calls no other tools.',
);

export const input = forms<readonly InputItem[]>(
  [
    [isString, map(text(), (words) => [{ kind: 'user' as const, parts: [textPart(words)] }])],
    [() => true, filledList(item, MAX_TURNS)],
  ],
  'is required: a text, or a list of messages.',
);
