import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import { type GatewayResponses, gatewayResponsesSchema } from './gateway-responses.ts';
import { pathsSchema, type Route, readRoutes } from './routes.ts';

const ONLY_IN_BODY = 'belongs in the body, because every import replaces everything';

const bodySchema = z.strictObject({
  openapi: z.literal('3.0.1'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z
    .array(
      z.object({
        'x-amazon-apigateway-endpoint-configuration': z.object({ disableExecuteApiEndpoint: z.boolean() }),
      }),
    )
    .default([]),
  paths: pathsSchema,
  'x-amazon-apigateway-binary-media-types': z.array(z.string()).default([]),
  'x-amazon-apigateway-gateway-responses': gatewayResponsesSchema.default({}),
  'x-amazon-apigateway-security-policy': z.string().optional(),
  'x-amazon-apigateway-endpoint-access-mode': z.enum(['BASIC', 'STRICT']).optional(),
});

const apiSchema = z.object({
  Body: bodySchema,
  Mode: z.literal('overwrite', 'the local cloud only imports complete definitions'),
  Parameters: z
    .object({ endpointConfigurationTypes: z.enum(['EDGE', 'REGIONAL']) })
    .default({ endpointConfigurationTypes: 'EDGE' }),
  BinaryMediaTypes: z.undefined(ONLY_IN_BODY).optional(),
});

const domainSchema = z.object({ DomainName: z.string() });

/** Each of these fields of a method setting is one patch operation of UpdateStage. */
const PATCHED_FIELDS = {
  CacheDataEncrypted: z.boolean().optional(),
  CacheTtlInSeconds: z.number().optional(),
  CachingEnabled: z.boolean().optional(),
  DataTraceEnabled: z.boolean().optional(),
  LoggingLevel: z.enum(['OFF', 'ERROR', 'INFO']).optional(),
  MetricsEnabled: z.boolean().optional(),
  ThrottlingBurstLimit: z.number().optional(),
  ThrottlingRateLimit: z.number().optional(),
};

/** API Gateway accepts settings for all methods or for one method of one resource, but not for ANY. */
const methodSettingSchema = z
  .strictObject({
    HttpMethod: z.enum(['*', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']).default('*'),
    ResourcePath: z
      .string()
      .regex(/^\/[^/]*$/, 'must encode slashes as ~1')
      .default('/*'),
    ...PATCHED_FIELDS,
  })
  .refine(({ HttpMethod, ResourcePath }) => (HttpMethod === '*') === (ResourcePath === '/*'), {
    error: 'API Gateway requires a wildcard for both the method and the path, or for neither',
  });

/** API Gateway rejects an update of a stage with "Update size too large"; tools send at most this many operations. */
const MAX_PATCH_OPERATIONS = 80;

export const countPatchOperations = (settings: readonly object[]): number =>
  settings.flatMap((setting) => Object.keys(setting)).filter((field) => field in PATCHED_FIELDS).length;

export const methodSettingsSchema = z.array(methodSettingSchema).superRefine((settings, { addIssue }) => {
  const operations = countPatchOperations(settings);
  if (operations > MAX_PATCH_OPERATIONS)
    addIssue({
      code: 'custom',
      message: `Update size too large: the settings take ${operations} patch operations, and ${MAX_PATCH_OPERATIONS} are safe in one update of a stage`,
    });
});

const stageSchema = z.object({
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: z.undefined('the local cloud has no stage variables').optional(),
  MethodSettings: methodSettingsSchema.default([]),
});

export type MethodSetting = z.infer<typeof methodSettingSchema>;

export type ApiDefinition = {
  readonly apiId: string;
  readonly accountId: string;
  readonly stage: string;
  /** Custom domains, which map to the root of the stage. */
  readonly domainNames: readonly string[];
  /** Whether the default endpoint is disabled. */
  readonly isOnlyAtDomains: boolean;
  readonly deploymentId: string;
  readonly methodSettings: readonly MethodSetting[];
  readonly binaryMediaTypes: readonly string[];
  /** The idle timeout of streamed responses. */
  readonly streamIdleMilliseconds: number;
  readonly routes: readonly Route[];
  readonly gatewayResponses: GatewayResponses;
};

export const readApi = (stack: Stack): ApiDefinition => {
  const api = single(stack, SUPPORTED_TYPES.restApi);
  const { Body, Parameters } = stack.properties(api, apiSchema);
  const stage = stack.properties(single(stack, SUPPORTED_TYPES.apiStage), stageSchema);
  return {
    apiId: stack.identity(api.logicalId).ref,
    accountId: stack.environment.accountId,
    stage: stage.StageName,
    domainNames: stack
      .resources(SUPPORTED_TYPES.apiDomain)
      .map((domain) => stack.properties(domain, domainSchema).DomainName),
    isOnlyAtDomains: Body.servers.some(
      (server) => server['x-amazon-apigateway-endpoint-configuration'].disableExecuteApiEndpoint,
    ),
    deploymentId: stage.DeploymentId,
    methodSettings: stage.MethodSettings,
    binaryMediaTypes: Body['x-amazon-apigateway-binary-media-types'].map((type) => type.toLowerCase()),
    streamIdleMilliseconds: Parameters.endpointConfigurationTypes === 'EDGE' ? 30_000 : 300_000,
    routes: readRoutes(stack, Body.paths),
    gatewayResponses: new Map(Object.entries(Body['x-amazon-apigateway-gateway-responses'])),
  };
};

const single = (stack: Stack, type: string) => {
  const [only, ...others] = stack.resources(type);
  if (only === undefined || others.length > 0) {
    throw new LocalCloudError(`The local cloud needs exactly one ${type} in the template.`);
  }
  return only;
};
