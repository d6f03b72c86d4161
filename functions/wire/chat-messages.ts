import { invalidField, listed } from '../domain/errors.ts';
import {
  type ImageConfig,
  type ImagePart,
  type ImageTurn,
  imagePart,
  textPart,
} from '../domain/image-request.ts';
import type { InputImage } from '../domain/input-image.ts';
import { isOneOf } from '../domain/models.ts';
import { type BodyFields, fieldOf, isFields } from './body-fields.ts';
import { namedField, readImageConfig, readObject } from './image-config.ts';
import { readDataUri } from './image-fields.ts';
import { readText } from './typed-fields.ts';

const ROLES = ['system', 'developer', 'user', 'assistant'] as const;
const CONFIG_NAMES = ['aspectRatio', 'imageSize'];

export type Conversation = {
  readonly turns: readonly ImageTurn[];
  readonly systemInstruction: string | undefined;
  /** Configurations that came as system messages. */
  readonly configs: readonly ImageConfig[];
};

const readImageUrl = (param: string, value: unknown): InputImage => {
  const url = readText(`${param}.url`, isFields(value) ? fieldOf(value, 'url') : value);
  if (url === undefined) throw invalidField(param, `${param}.url is required.`);
  return readDataUri(`${param}.url`, url);
};

const readItem = (param: string, value: unknown): ImagePart => {
  const item = readObject(param, value) ?? {};
  switch (fieldOf(item, 'type')) {
    case 'text': {
      const text = readText(`${param}.text`, fieldOf(item, 'text'));
      if (text === undefined) throw invalidField(`${param}.text`, `${param}.text is required.`);
      return textPart(text);
    }
    case 'image_url':
      return imagePart(readImageUrl(`${param}.image_url`, fieldOf(item, 'image_url')));
    default:
      throw invalidField(`${param}.type`, `${param}.type must be text or image_url.`);
  }
};

const readContent = (param: string, value: unknown): ImagePart[] => {
  if (typeof value === 'string') return [textPart(readText(param, value) ?? '')];
  if (Array.isArray(value)) return value.map((item, index) => readItem(`${param}[${index}]`, item));
  throw invalidField(param, `${param} must be a string or a list of parts.`);
};

const textOf = (param: string, parts: readonly ImagePart[]): string =>
  parts
    .map(({ content }) => {
      if (content.kind === 'text') return content.text;
      throw invalidField(param, `${param} of this role must be text.`);
    })
    .join('\n');

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The configuration that a system message is, or undefined where it is an instruction. */
const readConfigMessage = (param: string, text: string): ImageConfig | undefined => {
  const parsed = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (!isFields(parsed)) return undefined;
  const wrapped = namedField(parsed, 'imageConfig');
  if (wrapped !== undefined) return readImageConfig(`${param}.imageConfig`, wrapped);
  const isConfig = CONFIG_NAMES.some((name) => namedField(parsed, name) !== undefined);
  return isConfig ? readImageConfig(param, parsed) : undefined;
};

const MARKDOWN_IMAGE = /!\[[^\]]*\]\((data:image\/[^)\s]+)\)/gi;

/** An earlier answer, as clients of either convention send it back. */
const readAnswer = (param: string, message: BodyFields): { texts: ImagePart[]; images: ImagePart[] } => {
  const content = fieldOf(message, 'content') ?? '';
  const text = textOf(`${param}.content`, readContent(`${param}.content`, content));
  const uris = [...text.matchAll(MARKDOWN_IMAGE)].map(([, uri = '']) => uri);
  const words = text.replace(MARKDOWN_IMAGE, '').trim();
  const attached = fieldOf(message, 'images') ?? [];
  if (!Array.isArray(attached)) throw invalidField(`${param}.images`, `${param}.images must be a list.`);
  return {
    texts: words === '' ? [] : [textPart(words)],
    images: [
      ...uris.map((uri) => imagePart(readDataUri(`${param}.content`, uri))),
      ...attached.map((item, index) => readItem(`${param}.images[${index}]`, item)),
    ],
  };
};

export const readMessages = (value: unknown): Conversation => {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidField('messages', 'messages must be a list with at least one message.');
  const turns: ImageTurn[] = [];
  const instructions: string[] = [];
  const configs: ImageConfig[] = [];
  // The upstream wants its signature on images of its own, which chat clients cannot keep: they go to the user's side.
  let earlier: readonly ImagePart[] = [];

  for (const [index, item] of value.entries()) {
    const param = `messages[${index}]`;
    const message = readObject(param, item) ?? {};
    const role = fieldOf(message, 'role');
    if (!isOneOf(ROLES, role))
      throw invalidField(`${param}.role`, `${param}.role must be one of ${listed(ROLES)}.`);
    if (role === 'assistant') {
      const { texts, images } = readAnswer(param, message);
      if (texts.length > 0) turns.push({ role: 'model', parts: texts });
      earlier = [...earlier, ...images];
      continue;
    }
    const parts = readContent(`${param}.content`, fieldOf(message, 'content'));
    if (role === 'user') {
      turns.push({ role, parts: [...earlier, ...parts] });
      earlier = [];
      continue;
    }
    const text = textOf(`${param}.content`, parts);
    const config = readConfigMessage(`${param}.content`, text);
    if (config === undefined) instructions.push(text);
    else configs.push(config);
  }
  if (earlier.length > 0) turns.push({ role: 'user', parts: earlier });
  const systemInstruction = instructions.length === 0 ? undefined : instructions.join('\n\n');
  return { turns: turns.filter(({ parts }) => parts.length > 0), systemInstruction, configs };
};
