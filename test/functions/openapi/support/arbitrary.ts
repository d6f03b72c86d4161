import fc from 'fast-check';
import { at, isNode, type Node } from './document.ts';

/** Optional fields are usually absent; otherwise they would conflict in almost every request. */
const ABSENT = { arbitrary: fc.constant({}), weight: 4 };

const numbers = (schema: Node): fc.Arbitrary<number> => {
  const min = typeof schema.minimum === 'number' ? schema.minimum : -1000;
  const max = typeof schema.maximum === 'number' ? schema.maximum : 1_000_000;
  return schema.type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
};

const texts = (schema: Node): fc.Arbitrary<string> => {
  if (Array.isArray(schema.examples)) return fc.constantFrom(...schema.examples.map(String));
  const text = fc.string({ maxLength: 20 });
  return schema.pattern === undefined ? text : text.map((rest) => `a${rest}`);
};

const lists = (schema: Node): fc.Arbitrary<unknown> => {
  // A required item is added below; hundreds of items would be slow and test nothing more.
  const added = isNode(schema.contains) ? 1 : 0;
  const maxLength = Math.min(typeof schema.maxItems === 'number' ? schema.maxItems - added : 3, 10);
  const minLength = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const items = fc.array(arbitraryFor(schema.items), { minLength, maxLength });
  return isNode(schema.contains) && Array.isArray(schema.contains.enum)
    ? fc.tuple(items, fc.constantFrom(...schema.contains.enum)).map(([some, needed]) => [...some, needed])
    : items;
};

const objects = (schema: Node): fc.Arbitrary<unknown> => {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(isNode(schema.properties) ? schema.properties : {})
    .filter(([, field]) => !(isNode(field) && isNode(field.not)))
    .map(([name, field]) => {
      const value = arbitraryFor(field).map((item) => ({ [name]: item }));
      return required.includes(name) ? value : fc.oneof(ABSENT, { arbitrary: value, weight: 1 });
    });
  return fc.tuple(...fields).map((entries) => Object.assign({}, ...entries));
};

/** Values that match a schema of the document. */
export const arbitraryFor = (given: unknown): fc.Arbitrary<unknown> => {
  const schema =
    isNode(given) && typeof given.$ref === 'string' ? at(...given.$ref.slice(2).split('/')) : given;
  if (!isNode(schema)) throw new Error(`not a schema: ${JSON.stringify(given)}`);
  if (Array.isArray(schema.examples)) return fc.constantFrom(...schema.examples);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return fc.oneof(...options.map(arbitraryFor));
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'object':
      return objects(schema);
    case 'array':
      return lists(schema);
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
};
