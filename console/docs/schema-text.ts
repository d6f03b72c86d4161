export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly not?: unknown;
};

const MAX_VALUES = 8;

export const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Without values that differ only in case, which the API reads alike. */
const listValues = (values: readonly unknown[]): string => {
  const unique = new Map<string, string>();
  for (const value of values.map(String))
    if (!unique.has(value.toLowerCase())) unique.set(value.toLowerCase(), value);
  const shown = [...unique.values()];
  return shown.length <= MAX_VALUES
    ? shown.join(', ')
    : `${shown.slice(0, MAX_VALUES).join(', ')} and ${shown.length - MAX_VALUES} more`;
};

/** A form sends numbers and booleans as text; the alternative adds nothing for a reader. */
const isTextOfOther = ({ type, pattern }: Schema, others: readonly Schema[]): boolean =>
  type === 'string' && pattern !== undefined && others.some((other) => other.type !== 'string');

/** Such as `string`, `4, 6, 8` or `array of ReferenceImage`. */
export const typeName = (schema: Schema): string => {
  if (schema.$ref !== undefined) return lastSegment(schema.$ref);
  if (schema.enum !== undefined) return listValues(schema.enum);
  if (schema.const !== undefined) return String(schema.const);
  if (schema.items !== undefined) return `array of ${typeName(schema.items)}`;
  if (schema.anyOf !== undefined) {
    const options = schema.anyOf.filter((option, _, all) => !isTextOfOther(option, all));
    return [...new Set(options.map(typeName))].join(' or ');
  }
  return [schema.type ?? 'any'].flat().join(' or ');
};

export const isRefused = (schema: Schema): boolean => schema.not !== undefined;
