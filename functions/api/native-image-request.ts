import { DomainError, invalidField, listed } from '../domain/errors.ts';
import {
  holdsPrompt,
  type ImagePart,
  type ImageRequest,
  type ImageTurn,
  imagePart,
  MODALITIES,
  type Modality,
  textPart,
} from '../domain/image-request.ts';
import { checkImage } from '../domain/input-image.ts';
import { isOneOf } from '../domain/models.ts';
import type { BodyFields } from './body-fields.ts';
import { namedField, readImageConfig, readObject, requireImageModel } from './image-config.ts';
import { decodeBase64 } from './image-fields.ts';
import { readSampling, requireOne } from './sampling.ts';
import { readText } from './typed-fields.ts';

const readList = (param: string, value: unknown): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidField(param, `${param} must be a list with at least one item.`);
  return value;
};

const readInlineData = (param: string, fields: BodyFields): ImagePart => {
  const data = readText(`${param}.data`, namedField(fields, 'data'));
  const mimeType = readText(`${param}.mimeType`, namedField(fields, 'mimeType'));
  if (data === undefined || mimeType === undefined)
    throw invalidField(param, `${param} must have mimeType and data.`);
  return imagePart(checkImage(param, decodeBase64(`${param}.data`, data), mimeType));
};

const readPart = (param: string, value: unknown): ImagePart[] => {
  const fields = readObject(param, value) ?? {};
  // Drafts of an earlier answer, sent back as history: the upstream takes no interest in them.
  if (namedField(fields, 'thought') === true) return [];
  const text = readText(`${param}.text`, namedField(fields, 'text'));
  const inlineData = readObject(`${param}.inlineData`, namedField(fields, 'inlineData'));
  const signature = readText(`${param}.thoughtSignature`, namedField(fields, 'thoughtSignature'));
  if (inlineData !== undefined) return [{ ...readInlineData(`${param}.inlineData`, inlineData), signature }];
  if (text !== undefined) return [{ ...textPart(text), signature }];
  if (namedField(fields, 'fileData') !== undefined)
    throw new DomainError(
      'remote_image_not_supported',
      `${param}.fileData is not fetched: send the image as inlineData.`,
      { param },
    );
  throw invalidField(param, `${param} must have text or inlineData.`);
};

const readTurn = (param: string, value: unknown): ImageTurn => {
  const fields = readObject(param, value) ?? {};
  const role = readText(`${param}.role`, namedField(fields, 'role')) ?? 'user';
  if (role !== 'user' && role !== 'model')
    throw invalidField(`${param}.role`, `${param}.role must be user or model.`);
  const parts = readList(`${param}.parts`, namedField(fields, 'parts'));
  return { role, parts: parts.flatMap((part, index) => readPart(`${param}.parts[${index}]`, part)) };
};

const readTurns = (body: BodyFields): ImageTurn[] => {
  const turns = readList('contents', namedField(body, 'contents'))
    .map((turn, index) => readTurn(`contents[${index}]`, turn))
    .filter(({ parts }) => parts.length > 0);
  if (!holdsPrompt(turns)) throw invalidField('contents', 'contents must hold text or an image of the user.');
  return turns;
};

const readSystemInstruction = (body: BodyFields): string | undefined => {
  const param = 'systemInstruction';
  const fields = readObject(param, namedField(body, param));
  if (fields === undefined) return undefined;
  const texts = readList(`${param}.parts`, namedField(fields, 'parts')).map((part, index) => {
    const place = `${param}.parts[${index}]`;
    const text = readText(`${place}.text`, namedField(readObject(place, part) ?? {}, 'text'));
    if (text === undefined) throw invalidField(place, `${place} must have text.`);
    return text;
  });
  return texts.join('\n\n');
};

/** `image` in any case; without it there would be nothing to answer with. */
const readModalities = (param: string, value: unknown): readonly Modality[] => {
  if (value === undefined) return MODALITIES;
  const asked = readList(param, value).map((item) => {
    const modality = typeof item === 'string' ? item.toUpperCase() : item;
    if (isOneOf(MODALITIES, modality)) return modality;
    throw invalidField(param, `${param} must hold some of ${listed(MODALITIES)}.`);
  });
  if (!asked.includes('IMAGE')) throw invalidField(param, `${param} must include IMAGE.`);
  return asked;
};

export const readNativeRequest = (modelName: string, body: BodyFields): ImageRequest => {
  const model = requireImageModel(modelName);
  const param = 'generationConfig';
  const config = readObject(param, namedField(body, param)) ?? {};
  const place = (name: string) => [`${param}.${name}`, namedField(config, name)] as const;
  requireOne(...place('candidateCount'));
  return {
    model,
    turns: readTurns(body),
    systemInstruction: readSystemInstruction(body),
    config: readImageConfig(...place('imageConfig')),
    modalities: readModalities(...place('responseModalities')),
    sampling: readSampling({
      maxOutputTokens: place('maxOutputTokens'),
      temperature: place('temperature'),
      topP: place('topP'),
      seed: place('seed'),
    }),
  };
};
