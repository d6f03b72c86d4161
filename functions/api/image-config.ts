import { DomainError, invalidField } from '../domain/errors.ts';
import { IMAGE_ASPECT_RATIOS, IMAGE_SIZES, type ImageConfig } from '../domain/image-request.ts';
import { IMAGE_MODEL, type ImageModel } from '../domain/models.ts';
import { type BodyFields, fieldOf, isFields } from './body-fields.ts';
import { readChoice } from './typed-fields.ts';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field that may be named in camelCase or in snake_case, as the upstream's format allows; null is absence. */
export const namedField = (fields: BodyFields, name: string): unknown =>
  fieldOf(fields, name) ?? fieldOf(fields, snakeCase(name)) ?? undefined;

/** As `namedField`, with the name that the client used, so that an error can say it. */
const namedPlace = (param: string, fields: BodyFields, name: string) => {
  const given = Object.hasOwn(fields, name) ? name : snakeCase(name);
  return [`${param}.${Object.hasOwn(fields, given) ? given : name}`, namedField(fields, name)] as const;
};

/** The object under a name, if there is one. */
export const readObject = (param: string, value: unknown): BodyFields | undefined => {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) throw invalidField(param, `${param} must be an object.`);
  return value;
};

const upperCase = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

export const readImageConfig = (param: string, value: unknown): ImageConfig => {
  const fields = readObject(param, value) ?? {};
  const [ratioParam, ratio] = namedPlace(param, fields, 'aspectRatio');
  const [sizeParam, size] = namedPlace(param, fields, 'imageSize');
  return {
    aspectRatio: readChoice(ratioParam, IMAGE_ASPECT_RATIOS, ratio),
    imageSize: readChoice(sizeParam, IMAGE_SIZES, upperCase(size)),
  };
};

/** Of several places, the first that says something of a field decides it. */
export const firstOf = (configs: readonly ImageConfig[]): ImageConfig => ({
  aspectRatio: configs.find(({ aspectRatio }) => aspectRatio !== undefined)?.aspectRatio,
  imageSize: configs.find(({ imageSize }) => imageSize !== undefined)?.imageSize,
});

export const requireImageModel = (model: string): ImageModel => {
  if (model === IMAGE_MODEL) return model;
  throw new DomainError('model_not_found', `The model for images is ${IMAGE_MODEL}.`, { param: 'model' });
};
