import { invalidField } from '../domain/errors.ts';
import type { InputImage } from '../domain/input-image.ts';
import { type BodyFields, fieldOf, isFields } from './body-fields.ts';
import { readImage } from './image-fields.ts';
import { readText } from './typed-fields.ts';

const NAMES = ['reference_image', 'reference_images', 'referenceImages'];

const requireAsset = (param: string, value: unknown): void => {
  const type = readText(param, value);
  // Some clients send the enumeration's name, ASSET.
  if (type !== undefined && type.toLowerCase() !== 'asset')
    throw invalidField(param, `${param} must be asset.`);
};

/** An item is an image in any form, or `{image, referenceType}` around one. */
const readReference = (param: string, item: unknown): InputImage => {
  const wrapped = isFields(item) && fieldOf(item, 'image') !== undefined;
  if (isFields(item)) requireAsset(`${param}.referenceType`, fieldOf(item, 'referenceType'));
  const image = wrapped ? readImage(`${param}.image`, fieldOf(item, 'image')) : readImage(param, item);
  if (image === undefined) throw invalidField(param, `${param} holds no image.`);
  return image;
};

const readNamed = (param: string, value: unknown): InputImage[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [readReference(param, value)];
  return value.map((item, position) => readReference(`${param}[${position}]`, item));
};

export const readReferences = (body: BodyFields, metadata: BodyFields): InputImage[] => {
  for (const name of ['reference_type', 'referenceType']) {
    requireAsset(name, fieldOf(body, name));
    requireAsset(`metadata.${name}`, fieldOf(metadata, name));
  }
  return NAMES.flatMap((name) => [
    ...readNamed(name, fieldOf(body, name)),
    ...readNamed(`metadata.${name}`, fieldOf(metadata, name)),
  ]);
};
