import { pixelSizes, type VideoCapabilities, type VideoMode } from '../catalogue/domain/models.ts';
import { isOneOf } from '../platform/domain/text.ts';
import type { ImageNeed } from '../upstream/domain/needs.ts';
import { isNode, mapFields, type Node, pickFields, toNode } from './json-node.ts';

/** The fields of create requests that depend on the upstreams, in every format. */

/** Whether a field is accepted at all, which of its values are accepted, or how many items it can have. */
type Rule = boolean | ((value: unknown) => boolean) | { readonly most: number };
export type Rules = ReadonlyMap<string, Rule>;

export const offeredSizes = (can: VideoCapabilities): readonly string[] => [...pixelSizes(can).keys()];

export const videoRules = (can: VideoCapabilities, isModel: (name: unknown) => boolean): Rules => {
  const sizes = offeredSizes(can);
  const sides = sizes.flatMap((size) => size.split('x'));
  const isSide = (value: unknown) => isOneOf(sides, String(value));
  const isDuration = (value: unknown) => isOneOf(can.seconds, Number(value));
  const hasMode = (...modes: readonly VideoMode[]) => modes.some((mode) => can.modes.includes(mode));
  const firstFrame = hasMode('first_frame', 'first_and_last_frame');
  return new Map<string, Rule>([
    ['model', isModel],
    ['seconds', isDuration],
    ['duration', isDuration],
    ['durationSeconds', isDuration],
    ['size', (value) => isOneOf(sizes, value)],
    ['width', isSide],
    ['height', isSide],
    ['resolution', (value) => isOneOf(can.resolutions, value)],
    ['aspectRatio', (value) => isOneOf(can.aspectRatios, value)],
    ['negativePrompt', can.negativePrompt],
    ['seed', can.seed],
    ['input_reference', firstFrame],
    ['image', firstFrame],
    ['last_frame', hasMode('first_and_last_frame')],
    ['lastFrame', hasMode('first_and_last_frame')],
    ['reference_images', hasMode('references')],
    ['referenceImages', hasMode('references')],
    ['reference_type', hasMode('references')],
  ]);
};

const SAMPLING_FIELDS = ['seed', 'temperature', 'topP', 'top_p'];
const SAFETY_FIELDS = ['safetySettings', 'safety_settings', 'safetySetting'];

const SIZE_FIELDS = ['imageSize', 'sampleImageSize', 'size'];

/** Instructions and earlier turns of a chat are messages, which a schema cannot tell from others. */
export const imageRules = (parts: readonly ImageNeed[]): Rules =>
  new Map<string, Rule>([
    ['contents', parts.includes('conversation') || { most: 1 }],
    ['systemInstruction', parts.includes('instruction')],
    ...SAMPLING_FIELDS.map((name) => [name, parts.includes('sampling')] as const),
    ...SAFETY_FIELDS.map((name) => [name, parts.includes('safety')] as const),
    ...SIZE_FIELDS.map(
      (name) => [name, (value: unknown) => value !== '512' || parts.includes('size512')] as const,
    ),
  ]);

export const isAccepted = (value: unknown, rule: Rule | undefined): boolean => {
  if (rule === undefined || typeof rule === 'boolean') return rule !== false;
  return typeof rule === 'function' ? rule(value) : !Array.isArray(value) || value.length <= rule.most;
};

/** Values that can also be sent as text are a list of numbers, and a pattern with the texts as examples. */
const toPattern = (texts: readonly unknown[]): string => `^(?:${texts.join('|')})$`;

const restrictValues = (schema: Node, accepts: (value: unknown) => boolean): Node => {
  const { enum: values, anyOf, pattern, examples } = schema;
  if (Array.isArray(anyOf))
    return { ...schema, anyOf: anyOf.map((option) => restrictValues(toNode(option), accepts)) };
  if (Array.isArray(values)) return { ...schema, enum: values.filter(accepts) };
  if (!Array.isArray(examples) || pattern !== toPattern(examples)) return schema;
  const texts = examples.filter(accepts);
  return { ...schema, pattern: toPattern(texts), examples: texts };
};

const restrictField = (field: unknown, rule: Rule): unknown => {
  if (rule === false) return undefined;
  if (rule === true || !isNode(field)) return field;
  return typeof rule === 'function' ? restrictValues(field, rule) : { ...field, maxItems: rule.most };
};

/** Restricts fields at any depth, but not those inside of an option, such as the image of a reference. */
export const restrictSchema = (schema: unknown, rules: Rules): unknown => {
  if (Array.isArray(schema)) return schema.map((option) => restrictSchema(option, rules));
  if (!isNode(schema)) return schema;
  return mapFields(schema, (value, name) =>
    name === 'properties'
      ? pickFields(value, (field, fieldName) => {
          const rule = rules.get(fieldName);
          return rule === undefined ? restrictSchema(field, rules) : restrictField(field, rule);
        })
      : restrictSchema(value, rules),
  );
};
