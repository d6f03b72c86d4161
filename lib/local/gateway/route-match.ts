import type { Route } from './routes.ts';

export type RouteMatch = {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>> | null;
};

type Node = {
  readonly children: Map<string, Node>;
  readonly routes: Map<string, Route>;
};

/**
 * A fixed part of the path goes before a parameter, a parameter before a greedy one. A resource that lacks the
 * method gives way to the next that has it: AWS matches path and method together.
 */
export const createRouteMatcher = (routes: readonly Route[]) => {
  const root = emptyNode();
  for (const route of routes) nodeAt(root, route.resourcePath).routes.set(route.method, route);

  return (method: string, path: string): RouteMatch | undefined => {
    const segments = path.split('/').slice(1);
    if (segments.at(-1) === '') segments.pop();
    const found = walk(root, method, segments.map(decodeURIComponent));
    if (found === undefined) return undefined;
    const parameters = Object.fromEntries(found.parameters);
    return { route: found.route, pathParameters: found.parameters.length > 0 ? parameters : null };
  };
};

const emptyNode = (): Node => ({ children: new Map(), routes: new Map() });

const nodeAt = (root: Node, path: string): Node => {
  let node = root;
  for (const part of path.split('/').filter((segment) => segment !== '')) {
    const next = node.children.get(part) ?? emptyNode();
    node.children.set(part, next);
    node = next;
  }
  return node;
};

type Found = {
  readonly route: Route;
  readonly parameters: readonly (readonly [string, string])[];
};

const walk = (node: Node, method: string, segments: readonly string[]): Found | undefined => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return at(node, method, []);
  const fixed = segment.startsWith('{') ? undefined : node.children.get(segment);
  const exact = fixed && walk(fixed, method, rest);
  if (exact !== undefined) return exact;
  if (segment === '') return undefined;
  for (const [part, child] of node.children) {
    const found = isParameter(part) ? walk(child, method, rest) : undefined;
    if (found !== undefined)
      return { ...found, parameters: [[part.slice(1, -1), segment], ...found.parameters] };
  }
  for (const [part, child] of node.children) {
    if (isGreedy(part)) return at(child, method, [[part.slice(1, -2), segments.join('/')]]);
  }
  return undefined;
};

const at = ({ routes }: Node, method: string, parameters: Found['parameters']): Found | undefined => {
  const route = routes.get(method) ?? routes.get('ANY');
  return route && { route, parameters };
};

const isGreedy = (part: string) => part.startsWith('{') && part.endsWith('+}');

const isParameter = (part: string) => part.startsWith('{') && !isGreedy(part);
