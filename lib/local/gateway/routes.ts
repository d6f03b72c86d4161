import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { createFunctionFinder } from '../functions/definition.ts';
import { createInvokeCheck } from '../template/policies.ts';
import type { Stack } from '../template/stack.ts';

/** Limits of API Gateway in milliseconds; the one for buffered responses is the default quota. */
const LONGEST_STREAM = 900_000;
const LONGEST_BUFFERED = 29_000;
/** The quota of API Gateway for one REST API. */
const MAX_RESOURCES = 300;
const PATH_PART = /^(?:[\w.:-]+|\{[\w.-]+\+?\})$/;

const integrationSchema = z
  .strictObject({
    type: z.literal('aws_proxy', 'the local gateway supports only Lambda proxy integrations'),
    httpMethod: z.literal('POST', 'Lambda is invoked with POST'),
    uri: z.string(),
    credentials: z.string('the local gateway invokes functions with a role'),
    timeoutInMillis: z.int().min(50).max(LONGEST_STREAM).default(LONGEST_BUFFERED),
    responseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
  })
  .refine(({ timeoutInMillis, responseTransferMode }) => {
    return responseTransferMode === 'STREAM' || timeoutInMillis <= LONGEST_BUFFERED;
  }, 'the timeout of a buffered response is at most 29 seconds');

const operationSchema = z.strictObject({
  parameters: z.array(z.object({ name: z.string(), in: z.literal('path') })).default([]),
  responses: z.record(z.string(), z.unknown()),
  'x-amazon-apigateway-integration': integrationSchema,
});

const ANY_METHOD = 'ANY';
const METHODS = {
  'x-amazon-apigateway-any-method': ANY_METHOD,
  delete: 'DELETE',
  get: 'GET',
  head: 'HEAD',
  options: 'OPTIONS',
  patch: 'PATCH',
  post: 'POST',
  put: 'PUT',
} as const;

/** ANY stands for these methods, not for others such as PROPFIND. */
const ANY_COVERS: ReadonlySet<string> = new Set(Object.values(METHODS));

const pathParts = (path: string): readonly string[] => path.split('/').slice(1);

/** The `paths` of the OpenAPI body, flattened to one entry per method. */
export const pathsSchema = z
  .record(
    z.string(),
    z.strictObject(Object.fromEntries(Object.keys(METHODS).map((key) => [key, operationSchema.optional()]))),
  )
  .superRefine((paths, { addIssue }) => {
    const message = pathError(Object.keys(paths));
    if (message !== undefined) addIssue({ code: 'custom', message });
  })
  .transform((paths) =>
    Object.entries(paths).flatMap(([resourcePath, operations]) =>
      Object.entries(METHODS).flatMap(([key, method]) => {
        const operation = operations[key];
        return operation === undefined ? [] : [{ method, resourcePath, operation }];
      }),
    ),
  );

/** Each path prefix is one resource. */
const countResources = (paths: readonly string[]): number =>
  new Set(
    paths.flatMap((path) =>
      pathParts(path).map((_, position, parts) => parts.slice(0, position + 1).join('/')),
    ),
  ).size;

/** Why API Gateway would reject the paths, if it would. */
const pathError = (paths: readonly string[]): string | undefined => {
  const invalid = paths.find(
    (path) => path !== '/' && !pathParts(path).every((part) => PATH_PART.test(part)),
  );
  if (invalid !== undefined) return `API Gateway does not accept the path ${invalid}`;
  const parent = siblingVariables(paths);
  if (parent !== undefined) return `API Gateway allows only one path variable below /${parent}`;
  if (countResources(paths) > MAX_RESOURCES) return `API Gateway allows at most ${MAX_RESOURCES} resources`;
  return undefined;
};

/** A resource with two different path variables below it. */
const siblingVariables = (paths: readonly string[]): string | undefined => {
  const variables = new Map<string, string>();
  for (const parts of paths.map(pathParts))
    for (const [position, part] of parts.entries()) {
      if (!part.startsWith('{')) continue;
      const parent = parts.slice(0, position).join('/');
      if ((variables.get(parent) ?? part) !== part) return parent;
      variables.set(parent, part);
    }
  return undefined;
};

export type Route = {
  readonly method: string;
  /** As in the template: `/v1/videos/{task_id}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly functionId: string;
  readonly streamed: boolean;
  readonly timeoutMilliseconds: number;
  /** Whether the integration's role may invoke the function. */
  readonly permitted: boolean;
};

export const readRoutes = (stack: Stack, paths: z.infer<typeof pathsSchema>): readonly Route[] => {
  const mayInvoke = createInvokeCheck(stack, 'apigateway.amazonaws.com');
  const findFunction = createFunctionFinder(stack);
  return paths.map(({ method, resourcePath, operation }) => {
    const { uri, credentials, responseTransferMode, timeoutInMillis } =
      operation['x-amazon-apigateway-integration'];
    const streamed = responseTransferMode === 'STREAM';
    const functionArn = readUri(uri, streamed);
    const functionId = functionArn === undefined ? undefined : findFunction(functionArn);
    if (functionArn === undefined || functionId === undefined)
      throw new LocalCloudError(
        `The integration of ${method} ${resourcePath} does not name a function of the template.`,
      );
    return {
      method,
      resourcePath,
      resourceId: createHash('sha256').update(resourcePath).digest('hex').slice(0, 6),
      functionId,
      streamed,
      timeoutMilliseconds: timeoutInMillis,
      permitted: mayInvoke(credentials, functionArn),
    };
  });
};

/** Streaming requires its own API version and action. */
const readUri = (uri: string, streamed: boolean): string | undefined => {
  const action = streamed ? '2021-11-15 response-streaming-invocations' : '2015-03-31 invocations';
  const [, version, arn, ending] =
    /^arn:aws:apigateway:[\w-]+:lambda:path\/([\d-]+)\/functions\/(arn:[^/]+)\/([\w-]+)$/.exec(uri) ?? [];
  return `${version} ${ending}` === action ? arn : undefined;
};

export type RouteMatch = {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>> | null;
};

type Node = {
  readonly children: Map<string, Node>;
  readonly routes: Map<string, Route>;
};

/**
 * A literal part takes precedence over a parameter, and a parameter over a greedy one. Like AWS, matches path and
 * method together: a resource without the method is skipped.
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
  const route = routes.get(method) ?? (ANY_COVERS.has(method) ? routes.get(ANY_METHOD) : undefined);
  return route && { route, parameters };
};

const isGreedy = (part: string) => part.startsWith('{') && part.endsWith('+}');

const isParameter = (part: string) => part.startsWith('{') && !isGreedy(part);
