import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Template } from './synthesized-template.ts';

const database = loadAwsServiceSpecSync();

const findResourceType = (name: string) =>
  database.lookup('resource', 'cloudFormationType', 'equals', name).at(0);

type ResourceType = NonNullable<ReturnType<typeof findResourceType>>;
type Properties = ResourceType['properties'];
type PropertyType = Properties[string]['type'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands for a value that CloudFormation knows only when it deploys. */
const isIntrinsic = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const [name, ...others] = Object.keys(value);
  return others.length === 0 && (name === 'Ref' || name?.startsWith('Fn::') === true);
};

const describeValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const wrong = (path: string, expected: string, value: unknown): string[] => [
  `${path}: expected ${expected}, found ${describeValue(value)}`,
];

const checkAllowed = (
  path: string,
  allowed: readonly unknown[] | undefined,
  value: unknown,
): readonly string[] =>
  allowed === undefined || allowed.includes(value) ? [] : wrong(path, `one of ${allowed.join(', ')}`, value);

const checkUnion = (path: string, types: readonly PropertyType[], value: unknown): readonly string[] => {
  const attempts = types.map((type) => checkValue(path, type, value));
  if (attempts.some((problems) => problems.length === 0)) return [];
  return attempts.toSorted((one, other) => one.length - other.length)[0] ?? [];
};

const checkEntries = (path: string, element: PropertyType, value: unknown): readonly string[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, entry]) => checkValue(`${path}.${name}`, element, entry))
    : wrong(path, 'a map', value);

const checkTag = (path: string, value: unknown): readonly string[] =>
  isRecord(value)
    ? checkProperties(
        path,
        {
          Key: { type: { type: 'string' }, required: true },
          Value: { type: { type: 'string' }, required: true },
        },
        value,
      )
    : wrong(path, 'a tag', value);

const checkValue = (path: string, type: PropertyType, value: unknown): readonly string[] => {
  if (isIntrinsic(value)) return [];
  switch (type.type) {
    case 'string':
      return typeof value === 'string'
        ? checkAllowed(path, type.allowedValues, value)
        : wrong(path, 'a string', value);
    case 'date-time':
      return typeof value === 'string' ? [] : wrong(path, 'a date', value);
    case 'integer':
      return Number.isInteger(value)
        ? checkAllowed(path, type.allowedValues, value)
        : wrong(path, 'a whole number', value);
    case 'number':
      return typeof value === 'number' ? [] : wrong(path, 'a number', value);
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong(path, 'a boolean', value);
    case 'null':
      return value === null ? [] : wrong(path, 'null', value);
    case 'json':
      return typeof value === 'object' && value !== null ? [] : wrong(path, 'JSON', value);
    case 'tag':
      return checkTag(path, value);
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => checkValue(`${path}[${index}]`, type.element, item))
        : wrong(path, 'a list', value);
    case 'map':
      return checkEntries(path, type.element, value);
    case 'union':
      return checkUnion(path, type.types, value);
    case 'ref':
      return isRecord(value)
        ? checkProperties(path, database.get('typeDefinition', type.reference).properties, value)
        : wrong(path, 'an object', value);
  }
};

const checkProperties = (
  path: string,
  properties: Properties,
  values: Readonly<Record<string, unknown>>,
): readonly string[] => [
  ...Object.entries(properties)
    .filter(([name, { required }]) => required === true && values[name] === undefined)
    .map(([name]) => `${path}.${name}: is required`),
  ...Object.entries(values).flatMap(([name, value]) => {
    const property = properties[name];
    return property === undefined
      ? [`${path}.${name}: there is no such property`]
      : checkValue(`${path}.${name}`, property.type, value);
  }),
];

/** The resource and attribute of every Fn::GetAtt, wherever it stands. */
const attributeUses = (value: unknown): readonly (readonly [id: string, attribute: string])[] => {
  if (Array.isArray(value)) return value.flatMap(attributeUses);
  if (!isRecord(value)) return [];
  const names = value['Fn::GetAtt'];
  if (!Array.isArray(names)) return Object.values(value).flatMap(attributeUses);
  return [[String(names[0]), String(names[1])]];
};

const checkAttributes = ({ Resources, Outputs }: Template): readonly string[] =>
  attributeUses({ Resources, Outputs }).flatMap(([id, attribute]) => {
    const type = findResourceType(Resources[id]?.Type ?? '');
    if (type === undefined) return [`Fn::GetAtt ${id}.${attribute}: there is no resource ${id}`];
    return attribute in type.attributes || attribute in type.properties
      ? []
      : [`Fn::GetAtt ${id}.${attribute}: ${type.cloudFormationType} has no such attribute`];
  });

/** Everything in a template that CloudFormation's own description of its resource types does not know. */
export const schemaProblems = (template: Template): readonly string[] => [
  ...Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    const type = findResourceType(Type);
    return type === undefined
      ? [`${id}: there is no resource type ${Type}`]
      : checkProperties(id, type.properties, Properties);
  }),
  ...checkAttributes(template),
];
