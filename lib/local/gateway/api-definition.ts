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

const methodSettingSchema = z.object({
  HttpMethod: z.string().default('*'),
  ResourcePath: z.string().default('/*'),
  CachingEnabled: z.literal(false, 'the local gateway does not cache').optional(),
  ThrottlingBurstLimit: z.number().optional(),
  ThrottlingRateLimit: z.number().optional(),
});

const stageSchema = z.object({
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: z.undefined('the local cloud has no stage variables').optional(),
  MethodSettings: z.array(methodSettingSchema).default([]),
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
