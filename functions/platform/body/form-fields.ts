import { DomainError } from '../domain/errors.ts';
import type { BodyFields } from './fields.ts';

/**
 * Turns form names with brackets into nested fields: `metadata[resolution]` is a field of an object,
 * `reference_images[]` and a repeated name are arrays, `images[0]` is an array too.
 */
type Node = { readonly children: Map<string, Node>; readonly values: unknown[] };

const MAX_DEPTH = 6;
const SEGMENT = /\[([^[\]]*)\]/g;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const POSITION = /^\d{1,4}$/;

const newNode = (): Node => ({ children: new Map(), values: [] });

const pathSegments = (name: string): string[] => {
  const match = NAME.exec(name);
  if (match?.[1] === undefined) return [name];
  const brackets = Array.from((match[2] ?? '').matchAll(SEGMENT), ([, segment]) => segment ?? '');
  if (brackets.length > MAX_DEPTH)
    throw new DomainError(
      'invalid_request',
      `A form field's name is nested more than ${MAX_DEPTH} levels deep.`,
    );
  return [match[1], ...brackets];
};

const child = (node: Node, segment: string): Node => {
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  const created = newNode();
  node.children.set(segment, created);
  return created;
};

const has = (node: Node, path: readonly string[]): boolean => {
  const [segment, ...rest] = path;
  if (segment === undefined) return node.values.length > 0;
  const below = node.children.get(segment);
  return below !== undefined && has(below, rest);
};

/** `[]` refers to the last element if that lacks the rest of the path, otherwise to a new one. */
const element = (node: Node, rest: readonly string[]): Node => {
  const last = node.children.get(String(node.children.size - 1));
  if (last !== undefined && rest.length > 0 && !has(last, rest)) return last;
  return child(node, String(node.children.size));
};

const insert = (node: Node, path: readonly string[], value: unknown): void => {
  const [segment, ...rest] = path;
  if (segment === undefined) node.values.push(value);
  else insert(segment === '' ? element(node, rest) : child(node, segment), rest, value);
};

const toFields = (node: Node): BodyFields => {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, below] of node.children) fields[name] = toValue(below);
  return fields;
};

const toValue = (node: Node): unknown => {
  if (node.children.size === 0) return node.values.length === 1 ? node.values[0] : node.values;
  const isArray = Array.from(node.children.keys()).every((name) => POSITION.test(name));
  const nested = isArray ? Array.from(node.children.values(), toValue) : toFields(node);
  return node.values.length === 0 ? nested : [...node.values, ...(Array.isArray(nested) ? nested : [nested])];
};

export const nestFields = (parts: readonly (readonly [name: string, value: unknown])[]): BodyFields => {
  const root = newNode();
  for (const [name, value] of parts) insert(root, pathSegments(name), value);
  return toFields(root);
};
