import { createHash } from 'node:crypto';
import * as z from 'zod';
import { findFunction } from '../functions/definition.ts';
import { LocalCloudError } from '../local-cloud-error.ts';
import { createInvokeCheck } from '../template/policies.ts';
import type { Stack } from '../template/stack.ts';

/** A streamed response may take 15 minutes, a buffered one 29 seconds without a higher quota. */
const LONGEST_STREAM = 900_000;
const LONGEST_BUFFERED = 29_000;
/** A quota of API Gateway for one REST API. */
const MAX_RESOURCES = 300;
/** The characters that a path part may have, alone or in braces. */
const PATH_PART = /^(?:[\w.:-]+|\{[\w.-]+\+?\})$/;

const integrationSchema = z
  .strictObject({
    type: z.literal('aws_proxy', 'the local gateway has Lambda proxy integrations only'),
    httpMethod: z.literal('POST', 'Lambda is invoked by POST'),
    uri: z.string(),
    credentials: z.string('the local gateway invokes functions with a role'),
    timeoutInMillis: z.int().min(50).max(LONGEST_STREAM).default(LONGEST_BUFFERED),
    responseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
  })
  .refine(({ timeoutInMillis, responseTransferMode }) => {
    return responseTransferMode === 'STREAM' || timeoutInMillis <= LONGEST_BUFFERED;
  }, 'a buffered response takes at most 29 seconds');

const operationSchema = z.strictObject({
  parameters: z.array(z.object({ name: z.string(), in: z.literal('path') })).default([]),
  responses: z.record(z.string(), z.unknown()),
  'x-amazon-apigateway-integration': integrationSchema,
});

const METHODS = {
  'x-amazon-apigateway-any-method': 'ANY',
  delete: 'DELETE',
  get: 'GET',
  head: 'HEAD',
  options: 'OPTIONS',
  patch: 'PATCH',
  post: 'POST',
  put: 'PUT',
} as const;

const partsIn = (path: string): readonly string[] => path.split('/').slice(1);

/** The `paths` of the API's OpenAPI body, as routes without their functions. */
export const pathsSchema = z
  .record(
    z.string(),
    z.strictObject(Object.fromEntries(Object.keys(METHODS).map((key) => [key, operationSchema.optional()]))),
  )
  .superRefine((paths, { addIssue }) => {
    const message = pathFault(Object.keys(paths));
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

/** Each part of a path is a resource, shared by the paths that begin alike. */
const countResources = (paths: readonly string[]): number =>
  new Set(
    paths.flatMap((path) =>
      partsIn(path).map((_, position, parts) => parts.slice(0, position + 1).join('/')),
    ),
  ).size;

/** Why API Gateway would refuse the paths, if it would. */
const pathFault = (paths: readonly string[]): string | undefined => {
  const odd = paths.find((path) => path !== '/' && !partsIn(path).every((part) => PATH_PART.test(part)));
  if (odd !== undefined) return `API Gateway does not accept the path ${odd}`;
  const parent = siblingVariables(paths);
  if (parent !== undefined) return `API Gateway allows one variable part below /${parent}`;
  if (countResources(paths) > MAX_RESOURCES) return `API Gateway takes ${MAX_RESOURCES} resources`;
  return undefined;
};

/** A resource below which two paths have different variable parts. */
const siblingVariables = (paths: readonly string[]): string | undefined => {
  const variables = new Map<string, string>();
  for (const parts of paths.map(partsIn))
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
  return paths.map(({ method, resourcePath, operation }) => {
    const { uri, credentials, responseTransferMode, timeoutInMillis } =
      operation['x-amazon-apigateway-integration'];
    const streamed = responseTransferMode === 'STREAM';
    const functionArn = readUri(uri, streamed);
    const functionId = functionArn === undefined ? undefined : findFunction(stack, functionArn);
    if (functionArn === undefined || functionId === undefined)
      throw new LocalCloudError(
        `The integration of ${method} ${resourcePath} names no function of the template.`,
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

/** Streaming has an API version and an action of its own; with the other's, the gateway cannot read the response. */
const readUri = (uri: string, streamed: boolean): string | undefined => {
  const action = streamed ? '2021-11-15 response-streaming-invocations' : '2015-03-31 invocations';
  const [, version, arn, ending] =
    /^arn:aws:apigateway:[\w-]+:lambda:path\/([\d-]+)\/functions\/(arn:[^/]+)\/([\w-]+)$/.exec(uri) ?? [];
  return `${version} ${ending}` === action ? arn : undefined;
};
