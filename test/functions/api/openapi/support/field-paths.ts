import { at, isNode } from './document.ts';

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Every field that a schema names, with the fields around it: `contents[].parts[].text`. */
export const namedFields = (given: unknown, path = ''): string[] => {
  const schema =
    isNode(given) && typeof given.$ref === 'string' ? at(...given.$ref.slice(2).split('/')) : given;
  if (!isNode(schema)) return [];
  return [
    ...Object.entries(Object(schema.properties)).flatMap(([name, field]) => [
      joined(path, name),
      ...namedFields(field, joined(path, name)),
    ]),
    ...namedFields(schema.items, `${path}[]`),
    ...Object.values(Object(schema.anyOf)).flatMap((option) => namedFields(option, path)),
  ];
};

/** The value itself, but every question whether it has a field is noted. */
export const watched = (value: unknown, note: (path: string) => void, path = ''): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  return new Proxy(value, {
    getOwnPropertyDescriptor: (target, name) => {
      if (!isList) note(joined(path, String(name)));
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get: (target, name) =>
      watched(Reflect.get(target, name), note, isList ? `${path}[]` : joined(path, String(name))),
  });
};
