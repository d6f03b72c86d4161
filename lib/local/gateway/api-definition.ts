import * as z from 'zod';
import { LocalCloudError } from '../local-cloud-error.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import { type GatewayResponses, readGatewayResponses } from './gateway-responses.ts';
import { type Route, readRoutes } from './routes.ts';

const apiSchema = z.object({
  BinaryMediaTypes: z.array(z.string()).default([]),
  EndpointConfiguration: z.object({ Types: z.array(z.string()) }).default({ Types: ['EDGE'] }),
  DisableExecuteApiEndpoint: z.boolean().default(false),
  Body: z.undefined('the local cloud reads resources and methods, not an OpenAPI body').optional(),
});

const domainSchema = z.object({ DomainName: z.string() });

const methodSettingSchema = z.object({
  HttpMethod: z.string().default('*'),
  ResourcePath: z.string().default('/*'),
  ThrottlingRateLimit: z.number().optional(),
  ThrottlingBurstLimit: z.number().optional(),
});

const stageSchema = z.object({
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: z.record(z.string(), z.string()).optional(),
  MethodSettings: z.array(methodSettingSchema).default([]),
});

export type MethodSetting = z.infer<typeof methodSettingSchema>;

export type ApiDefinition = {
  readonly apiId: string;
  readonly accountId: string;
  readonly stage: string;
  /** Hosts at which the stage is the root; the stack maps its domain to nothing deeper. */
  readonly domainNames: readonly string[];
  /** Whether those hosts are the only way in. */
  readonly isOnlyAtDomains: boolean;
  readonly deploymentId: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  readonly methodSettings: readonly MethodSetting[];
  readonly binaryMediaTypes: readonly string[];
  /** How long a streamed response may say nothing. */
  readonly streamIdleMilliseconds: number;
  readonly routes: readonly Route[];
  readonly gatewayResponses: GatewayResponses;
};

export const readApi = (stack: Stack): ApiDefinition => {
  const api = single(stack, SUPPORTED_TYPES.restApi);
  const { BinaryMediaTypes, EndpointConfiguration, DisableExecuteApiEndpoint } = stack.properties(
    api,
    apiSchema,
  );
  const stage = stack.properties(single(stack, SUPPORTED_TYPES.apiStage), stageSchema);
  return {
    apiId: stack.identity(api.logicalId).ref,
    accountId: stack.environment.accountId,
    stage: stage.StageName,
    domainNames: stack
      .resources(SUPPORTED_TYPES.apiDomain)
      .map((domain) => stack.properties(domain, domainSchema).DomainName),
    isOnlyAtDomains: DisableExecuteApiEndpoint,
    deploymentId: stage.DeploymentId,
    stageVariables: stage.Variables ?? null,
    methodSettings: stage.MethodSettings,
    binaryMediaTypes: BinaryMediaTypes.map((type) => type.toLowerCase()),
    streamIdleMilliseconds: EndpointConfiguration.Types.includes('EDGE') ? 30_000 : 300_000,
    routes: readRoutes(stack, stage.StageName),
    gatewayResponses: readGatewayResponses(stack),
  };
};

const single = (stack: Stack, type: string) => {
  const [only, ...others] = stack.resources(type);
  if (only === undefined || others.length > 0) {
    throw new LocalCloudError(
      `The local cloud serves exactly one ${type}, and the template has another number.`,
    );
  }
  return only;
};
