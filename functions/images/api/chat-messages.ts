import * as z from 'zod/mini';
import { imageUrl, readDataUri } from '../../catalogue/api/image.ts';
import type { ImageConfig } from '../../catalogue/domain/image-sizes.ts';
import { isFields, namedField, ownField } from '../../platform/body/fields.ts';
import { type NotingPayload, notingTransform } from '../../platform/body/ignored-fields.ts';
import { isTooDeep } from '../../platform/body/json-body.ts';
import { parseWithin, refuse } from '../../platform/body/parse.ts';
import { forms, list, map, text } from '../../platform/body/schema.ts';
import { noteUnread } from '../../platform/body/unknown-fields.ts';
import { listed } from '../../platform/domain/errors.ts';
import { type GivenImagePart, imagePart, MAX_PARTS, textPart } from '../../upstream/domain/image-request.ts';
import { imageConfig } from './image-options.ts';

const OPENING = /\]\(data:image\//gi;
const END = /[)\s]/g;

const search = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};

/** The start of the image whose label ends at `labelEnd`; undefined if there is no such label. */
const findImageStart = (text: string, from: number, labelEnd: number): number | undefined => {
  const after = Math.max(from, text.lastIndexOf(']', labelEnd - 1) + 1);
  const offset = text.slice(after, labelEnd).indexOf('![');
  return offset === -1 ? undefined : after + offset;
};

/** Takes `![label](data:image/…)` out of a text in linear time, which a single regular expression would not. */
export const splitMarkdownImages = (text: string): { words: string; addresses: string[] } => {
  const words: string[] = [];
  const addresses: string[] = [];
  let taken = 0;
  let from = 0;
  for (;;) {
    const opening = search(OPENING, text, from);
    if (opening === null) break;
    const start = findImageStart(text, taken, opening.index);
    from = opening.index + opening[0].length;
    if (start === undefined) continue;
    const end = search(END, text, from);
    if (end === null) break;
    if (end[0] === ')' && end.index > from) {
      words.push(text.slice(taken, start));
      addresses.push(text.slice(opening.index + 2, end.index));
      taken = end.index + 1;
    }
    from = end.index;
  }
  return { words: [...words, text.slice(taken)].join(''), addresses };
};

type Context = z.core.ParsePayload;

export type Message =
  | { readonly kind: 'config'; readonly config: ImageConfig }
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'user'; readonly parts: readonly GivenImagePart[] }
  | { readonly kind: 'answer'; readonly text: string; readonly images: readonly GivenImagePart[] };

const oneOf = (values: readonly string[]) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    isFields(input) ? `must be one of ${listed(values)}.` : 'must be an object.',
});

const PART_ADVICE = 'send one part with text, and one with image_url for each image.';

/** Parts have no field that could hold another image. */
const withoutUnreadFields = (value: unknown, context: NotingPayload): unknown => {
  if (isFields(value))
    noteUnread(
      value,
      {
        read: ownField(value, 'type') === 'text' ? ['type', 'text'] : ['type', 'image_url'],
        harmless: ['cache_control'],
        advice: PART_ADVICE,
      },
      context,
    );
  return value;
};

const textItem = z.object({ type: z.literal('text'), text: text() });
const imageItem = z.object({ type: z.literal('image_url'), image_url: imageUrl });
const item = z.pipe(
  notingTransform(withoutUnreadFields),
  z.discriminatedUnion(
    'type',
    [map(textItem, (given) => textPart(given.text)), map(imageItem, (given) => imagePart(given.image_url))],
    oneOf(['text', 'image_url']),
  ),
);

const isString = (value: unknown): boolean => typeof value === 'string';

const userContent = forms<GivenImagePart[]>(
  [
    [isString, map(text(), (words) => [textPart(words)])],
    [Array.isArray, list(item, MAX_PARTS)],
  ],
  'must be a string or a list of parts.',
);

const isImageItem = (value: unknown): boolean => isFields(value) && ownField(value, 'type') === 'image_url';

/** The content of roles that send only text. */
const textContent = forms<string>(
  [
    [isString, text()],
    [
      (value) => Array.isArray(value) && !value.some(isImageItem),
      map(list(z.discriminatedUnion('type', [textItem], oneOf(['text'])), MAX_PARTS), (items) =>
        items.map((given) => given.text).join('\n'),
      ),
    ],
  ],
  'must be a string or a list of text parts.',
);

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
};

/** A system message can be a configuration in JSON; undefined if it is an instruction. */
const readConfig = (content: string, context: Context): ImageConfig | undefined => {
  const parsed = isTooDeep(content) ? undefined : parseJson(content);
  if (!isFields(parsed)) return undefined;
  const wrapped = namedField(parsed, 'imageConfig');
  if (wrapped !== undefined) return parseWithin(imageConfig, wrapped, context, ['imageConfig']);
  const isConfig = ['aspectRatio', 'imageSize'].some((name) => namedField(parsed, name) !== undefined);
  return isConfig ? parseWithin(imageConfig, parsed, context, []) : undefined;
};

const instruction = map(textContent, (content, context): Message => {
  const config = readConfig(content, context);
  return config === undefined ? { kind: 'instruction', text: content } : { kind: 'config', config };
});

/** An earlier answer, which clients send back as markdown, split into text and images. */
const answerContent = map(textContent, (content, context) => {
  const { words, addresses } = splitMarkdownImages(content);
  if (addresses.length > MAX_PARTS)
    return refuse(context, `holds ${addresses.length} images, and at most ${MAX_PARTS} are accepted.`);
  const images = addresses.map((address) => imagePart(readDataUri(address, context)));
  return { text: words.trim(), images };
});

/** Earlier answers come back with whatever the client kept; what the user sends must be read. */
const withoutUnreadImages = (value: unknown, context: NotingPayload): unknown => {
  if (!isFields(value)) return value;
  const isAnswer = ownField(value, 'role') === 'assistant';
  noteUnread(
    value,
    {
      read: isAnswer ? ['role', 'content', 'images'] : ['role', 'content'],
      harmless: isAnswer ? Object.keys(value) : [],
      advice: 'send images as image_url parts of content.',
    },
    context,
  );
  return value;
};

const anyMessage = z.discriminatedUnion(
  'role',
  [
    map(
      z
        .object({ role: z.enum(['system', 'developer']), content: instruction })
        .check(z.describe('An instruction, or an imageConfig as JSON text.')),
      ({ content }) => content,
    ),
    map(
      z.object({ role: z.literal('user'), content: userContent }),
      ({ content }): Message => ({ kind: 'user', parts: content }),
    ),
    map(
      z
        .object({
          role: z.literal('assistant'),
          content: z.optional(z.nullable(answerContent)),
          images: z.optional(z.nullable(list(item, MAX_PARTS))),
        })
        .check(z.describe('An earlier answer.')),
      ({ content, images }): Message => ({
        kind: 'answer',
        text: content?.text ?? '',
        images: [...(content?.images ?? []), ...(images ?? [])],
      }),
    ),
  ],
  oneOf(['system', 'developer', 'user', 'assistant']),
);

export const message = z.pipe(notingTransform(withoutUnreadImages), anyMessage);
