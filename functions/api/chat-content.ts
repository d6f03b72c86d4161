import { invalidField } from '../domain/errors.ts';
import { type ImagePart, imagePart, textPart } from '../domain/image-request.ts';
import { type BodyFields, fieldOf } from './body-fields.ts';
import { readObject } from './image-config.ts';
import { readDataUri, readImageUrl } from './image-fields.ts';
import { splitMarkdownImages } from './markdown-images.ts';
import { readText } from './typed-fields.ts';

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

/** A message's content: a string, or a list of text and image parts. */
export const readContent = (param: string, value: unknown): ImagePart[] => {
  if (typeof value === 'string') return [textPart(readText(param, value) ?? '')];
  if (Array.isArray(value)) return value.map((item, index) => readItem(`${param}[${index}]`, item));
  throw invalidField(param, `${param} must be a string or a list of parts.`);
};

/** The content of a role that can send text alone. */
export const readTextContent = (param: string, value: unknown): string =>
  readContent(param, value)
    .map(({ content }) => {
      if (content.kind === 'text') return content.text;
      throw invalidField(param, `${param} of this role must be text.`);
    })
    .join('\n');

/** An earlier answer as clients of either convention send it back: its words, and its images apart. */
export const readEarlierAnswer = (param: string, message: BodyFields) => {
  const text = readTextContent(`${param}.content`, fieldOf(message, 'content') ?? '');
  const attached = fieldOf(message, 'images') ?? [];
  if (!Array.isArray(attached)) throw invalidField(`${param}.images`, `${param}.images must be a list.`);
  const { words, addresses } = splitMarkdownImages(text);
  return {
    text: words.trim(),
    images: [
      ...addresses.map((address) => imagePart(readDataUri(`${param}.content`, address))),
      ...attached.map((item, index) => readItem(`${param}.images[${index}]`, item)),
    ],
  };
};
