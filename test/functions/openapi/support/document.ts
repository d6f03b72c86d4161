import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../../functions/openapi/document.ts';

export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document as clients receive it: JSON has no undefined fields. */
export const DOCUMENT: Node = JSON.parse(JSON.stringify(openApiDocument()));

const resolved = (value: unknown): unknown =>
  isNode(value) && typeof value.$ref === 'string' ? at(...value.$ref.slice(2).split('/')) : value;

/** The value at a path, with references followed; undefined if there is none. */
export const at = (...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => {
    const node = resolved(value);
    return isNode(node) && Object.hasOwn(node, name) ? resolved(node[name]) : undefined;
  }, DOCUMENT);

export const nodeAt = (...path: readonly string[]): Node => {
  const value = at(...path);
  if (!isNode(value)) throw new Error(`the document has nothing at ${path.join(' ')}`);
  return value;
};

/** Every object of the document, also within lists. */
export const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];
};

/** Clients must ignore unknown fields. The tests reject them, so that every field is in the document. */
export const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closed(item)]));
  return value.type === 'object' && isNode(value.properties)
    ? { additionalProperties: false, ...copy }
    : copy;
};

const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Characters beyond ASCII must be escaped in a URI. */
const isUri = (text: string): boolean => URL.canParse(text) && /^[\x21-\x7e]+$/.test(text);

const createValidator = (document: unknown) => {
  const formats = { uri: isUri, binary: true } as const;
  const ajv = new Ajv2020({ strict: false, formats, validateSchema: false, allErrors: true });
  ajv.addSchema(Object(document), 'openapi.json');
  // Hundreds of responses have the same schema, and compiling one takes longer than all checks with it.
  const validators = new Map<string, ValidateFunction>();
  return (path: readonly string[], value: unknown): string[] => {
    const schema = JSON.stringify(at(...path));
    const validate = validators.get(schema) ?? ajv.compile({ $ref: `openapi.json#${pointer(path)}` });
    validators.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
};

/** The errors of a value against the schema at a path; fields that the schema does not name are errors. */
export const strictSchemaErrors = createValidator(closed(DOCUMENT));

/** The same, but unknown fields are allowed. */
export const schemaErrors = createValidator(DOCUMENT);

export const schemaPath = (component: string) => ['components', 'schemas', component];
