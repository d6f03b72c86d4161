/** A node of Babel's syntax tree, with the fields that the mutators read. */
export type SyntaxNode = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A place in the tree, in the shape that Stryker passes to its mutators. */
export type SyntaxPath = {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | null;
  readonly parentPath: SyntaxPath | null;
  readonly hub: { readonly file: { readonly opts: { readonly filename: string } } };
};

export type Mutator = {
  readonly name: string;
  readonly mutate: (path: SyntaxPath) => Iterable<SyntaxNode>;
};

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const UNDEFINED: SyntaxNode = { type: 'Identifier', name: 'undefined' };

/** Limits, delays, offsets and prices; Stryker does not change numbers. */
const numbers: Mutator = {
  name: 'Number',
  *mutate({ node, parent }) {
    const isKey = parent?.type === 'ObjectProperty' && parent.key === node;
    if (node.type === 'NumericLiteral' && typeof node.value === 'number' && !isKey)
      yield { type: 'NumericLiteral', value: node.value + 1 };
  },
};

const MEMBER_FIELDS = new Map([
  ['ObjectExpression', 'properties'],
  ['ArrayExpression', 'elements'],
]);

/** Dropping an undefined property has no effect. */
const isUndefinedProperty = (member: unknown): boolean =>
  isNode(member) && isNode(member.value) && member.value.name === 'undefined';

/** Stryker only empties whole objects and arrays, which hides single members that no test reads. */
const members: Mutator = {
  name: 'Member',
  *mutate({ node }) {
    const field = MEMBER_FIELDS.get(node.type);
    if (field === undefined) return;
    const all = list(node[field]);
    if (all.length < 2) return;
    for (const dropped of all.filter((member) => !isUndefinedProperty(member)))
      yield { type: node.type, [field]: all.filter((member) => member !== dropped) };
  },
};

const awaits: Mutator = {
  name: 'Await',
  *mutate({ node }) {
    if (node.type === 'AwaitExpression' && isNode(node.argument)) yield node.argument;
  },
};

/** A call whose result is not used: a write, a message, a log line. */
const statements: Mutator = {
  name: 'Statement',
  *mutate({ node, parent }) {
    if (parent?.type !== 'ExpressionStatement') return;
    const called = node.type === 'AwaitExpression' ? node.argument : node;
    if (isNode(called) && called.type === 'CallExpression') yield UNDEFINED;
  },
};

const conditionals: Mutator = {
  name: 'Conditional',
  *mutate({ node }) {
    if (node.type !== 'ConditionalExpression') return;
    for (const branch of [node.consequent, node.alternate]) if (isNode(branch)) yield branch;
  },
};

const fallbacks: Mutator = {
  name: 'Fallback',
  *mutate({ node }) {
    if (node.type !== 'LogicalExpression' || node.operator !== '??') return;
    for (const side of [node.left, node.right]) if (isNode(side)) yield side;
  },
};

const OTHER_ROUNDING = new Map([
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['round', 'floor'],
]);

const roundings: Mutator = {
  name: 'Rounding',
  *mutate({ node }) {
    const { callee } = node;
    if (node.type !== 'CallExpression' || !isNode(callee) || !isNode(callee.property)) return;
    const other = OTHER_ROUNDING.get(String(callee.property.name));
    if (other === undefined) return;
    yield { ...node, callee: { ...callee, property: { type: 'Identifier', name: other } } };
  },
};

/** Defects that occur in this project and that Stryker does not simulate. */
export const OUR_MUTATORS: readonly Mutator[] = [
  numbers,
  members,
  awaits,
  statements,
  conditionals,
  fallbacks,
  roundings,
];
