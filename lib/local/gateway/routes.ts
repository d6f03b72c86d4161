import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { createFunctionFinder } from '../functions/definition.ts';
import { createInvokeCheck } from '../template/policies.ts';
import { pathParts } from '../template/rules/api.ts';
import type { Stack } from '../template/stack.ts';

/** In milliseconds. */
const DEFAULT_TIMEOUT = 29_000;

const integrationSchema = z.strictObject({
  type: z.literal('aws_proxy', 'the local gateway supports only Lambda proxy integrations'),
  httpMethod: z.literal('POST', 'Lambda is invoked with POST'),
  uri: z.string(),
  credentials: z.string('the local gateway invokes functions with a role'),
  timeoutInMillis: z.int().default(DEFAULT_TIMEOUT),
  responseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
});

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

/** The `paths` of the OpenAPI body, flattened to one entry per method. */
export const pathsSchema = z
  .record(
    z.string(),
    z.strictObject(Object.fromEntries(Object.keys(METHODS).map((key) => [key, operationSchema.optional()]))),
  )
  .transform((paths) =>
    Object.entries(paths).flatMap(([resourcePath, operations]) =>
      Object.entries(METHODS).flatMap(([key, method]) => {
        const operation = operations[key];
        return operation === undefined ? [] : [{ method, resourcePath, operation }];
      }),
    ),
  );

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

const isParameter = (part: string) => part.startsWith('{');

const isGreedy = (part: string) => part.endsWith('+}');

/** A literal part takes precedence over a parameter, a parameter over a greedy one, and a method over ANY. */
const precedence = ({ method, resourcePath }: Route): string =>
  [...pathParts(resourcePath).map((part) => [isParameter(part), isGreedy(part)]), method === ANY_METHOD]
    .flat()
    .map(Number)
    .join('');

/** The values of the parameters; undefined if the path does not match. */
const matchParts = (parts: readonly string[], segments: readonly string[]) => {
  const parameters: [name: string, value: string][] = [];
  for (const [position, part] of parts.entries()) {
    const segment = segments[position] ?? '';
    if (isParameter(part) ? segment === '' : segment !== part) return undefined;
    if (isGreedy(part)) return [...parameters, [part.slice(1, -2), segments.slice(position).join('/')]];
    if (isParameter(part)) parameters.push([part.slice(1, -1), segment]);
  }
  return segments.length === parts.length ? parameters : undefined;
};

/** Like AWS, matches path and method together: a resource without the method is skipped. */
export const createRouteMatcher = (routes: readonly Route[]) => {
  const ordered = routes
    .map((route) => ({ route, parts: pathParts(route.resourcePath), rank: precedence(route) }))
    .toSorted((one, other) => one.rank.localeCompare(other.rank));

  return (method: string, path: string): RouteMatch | undefined => {
    const segments = path.replace(/\/$/, '').split('/').slice(1).map(decodeURIComponent);
    for (const { route, parts } of ordered) {
      if (route.method !== method && !(route.method === ANY_METHOD && ANY_COVERS.has(method))) continue;
      const parameters = matchParts(parts, segments);
      if (parameters === undefined) continue;
      return { route, pathParameters: parameters.length > 0 ? Object.fromEntries(parameters) : null };
    }
    return undefined;
  };
};
