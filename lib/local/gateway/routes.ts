import * as z from 'zod';
import { isPermitted } from '../functions/permissions.ts';
import { LocalCloudError } from '../local-cloud-error.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Resource } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';

const resourceSchema = z.object({ ParentId: z.string(), PathPart: z.string() });

const methodSchema = z.object({
  HttpMethod: z.string(),
  ResourceId: z.string(),
  RestApiId: z.string(),
  AuthorizationType: z.literal('NONE', 'the local gateway has no authorizers').default('NONE'),
  ApiKeyRequired: z.literal(false, 'the local gateway has no usage plans').default(false),
  RequestValidatorId: z.undefined('the local gateway has no request validators').optional(),
  Integration: z.object({
    Type: z.literal('AWS_PROXY', 'the local gateway has Lambda proxy integrations only'),
    Uri: z.string(),
    TimeoutInMillis: z.number().default(29_000),
    ResponseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
  }),
});

export type Route = {
  readonly method: string;
  /** As in the template: `/v1/videos/{task_id}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly functionId: string;
  readonly streamed: boolean;
  readonly timeoutMilliseconds: number;
  /** Whether the function's resource policy lets this route invoke it. */
  readonly permitted: boolean;
};

export const readRoutes = (stack: Stack, stage: string): readonly Route[] => {
  const paths = resourcePaths(stack);
  return stack.resources(SUPPORTED_TYPES.apiMethod).map((resource) => {
    const { HttpMethod, ResourceId, RestApiId, Integration } = stack.properties(resource, methodSchema);
    const resourcePath = paths.get(ResourceId) ?? '/';
    const functionId = integratedFunction(stack, resource, Integration.Uri);
    const { region, accountId } = stack.environment;
    const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${RestApiId}/${stage}/${HttpMethod}${resourcePath}`;
    return {
      method: HttpMethod,
      resourcePath,
      resourceId: ResourceId,
      functionId,
      streamed: Integration.ResponseTransferMode === 'STREAM',
      timeoutMilliseconds: Integration.TimeoutInMillis,
      permitted: isPermitted(stack, functionId, { principal: 'apigateway.amazonaws.com', sourceArn }),
    };
  });
};

/** Full paths by resource id; the root's id is in none of the resources and so ends the climb. */
const resourcePaths = (stack: Stack): ReadonlyMap<string, string> => {
  const parts = new Map(
    stack
      .resources(SUPPORTED_TYPES.apiResource)
      .map(
        (resource) =>
          [stack.identity(resource.logicalId).ref, stack.properties(resource, resourceSchema)] as const,
      ),
  );
  const climb = (id: string): string => {
    const part = parts.get(id);
    return part === undefined ? '' : `${climb(part.ParentId)}/${part.PathPart}`;
  };
  return new Map([...parts.keys()].map((id) => [id, climb(id)]));
};

const integratedFunction = (stack: Stack, { logicalId }: Resource, uri: string): string => {
  const [, arn] = /functions\/(arn:[^/]+)\/(?:response-streaming-)?invocations$/.exec(uri) ?? [];
  const found = stack
    .resources(SUPPORTED_TYPES.function)
    .find((candidate) => stack.identity(candidate.logicalId).attributes.Arn === arn);
  if (found === undefined)
    throw new LocalCloudError(`${logicalId}.Integration.Uri names no function of the template.`);
  return found.logicalId;
};
