export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without fields, if there is none. */
export const toNode = (value: unknown): Node => (isNode(value) ? value : {});

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const mapFields = (node: unknown, change: (value: unknown, name: string) => unknown): Node =>
  Object.fromEntries(Object.entries(toNode(node)).map(([name, value]) => [name, change(value, name)]));

/** Leaves out the fields for which `change` returns undefined. */
export const pickFields = (node: unknown, change: (value: unknown, name: string) => unknown): Node =>
  Object.fromEntries(Object.entries(mapFields(node, change)).filter(([, value]) => value !== undefined));

const REFERENCE = /"#\/components\/(\w+)\/(\w+)"/g;

/** The components that the paths refer to, directly or through others. */
export const usedComponents = (components: Node, paths: Node): Node => {
  const used = new Map<string, Set<string>>();
  const visit = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      const names = used.get(kind) ?? new Set();
      used.set(kind, names);
      if (names.has(name)) continue;
      names.add(name);
      visit(toNode(components[kind])[name]);
    }
  };
  visit(paths);
  return mapFields(components, (all, kind) => {
    const names = used.get(kind);
    // Nothing refers to security schemes in this way.
    return names === undefined ? all : pickFields(all, (part, name) => (names.has(name) ? part : undefined));
  });
};

export const usedTags = (tags: unknown, paths: Node): readonly unknown[] => {
  const used = new Set(
    Object.values(paths).flatMap((operations) =>
      Object.values(toNode(operations)).flatMap((operation) => toList(toNode(operation).tags)),
    ),
  );
  return toList(tags).filter((tag) => used.has(toNode(tag).name));
};
