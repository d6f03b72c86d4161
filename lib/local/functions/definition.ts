import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import type { SynthesizedStack } from '../template/template.ts';

const functionSchema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.string().startsWith('nodejs'),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  ReservedConcurrentExecutions: z.number().optional(),
  Environment: z
    .object({ Variables: z.record(z.string(), z.string()).default({}) })
    .default({ Variables: {} }),
  RecursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
  Layers: z.array(z.unknown()).max(0, 'the local cloud does not support layers').default([]),
});

const aliasSchema = z.object({ FunctionName: z.string(), Name: z.string() });

export type FunctionDefinition = {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly bundle: string;
  readonly handler: string;
  readonly runtime: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly reservedConcurrency: number | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether Lambda's recursive loop detection is off. */
  readonly allowsRecursion: boolean;
};

/** Finds a function by name or ARN, with or without an alias. */
export const createFunctionFinder = (stack: Stack): ((name: string) => string | undefined) => {
  const aliases = Map.groupBy(
    stack.resources(SUPPORTED_TYPES.alias).map((resource) => stack.properties(resource, aliasSchema)),
    ({ FunctionName }) => FunctionName,
  );
  const found = new Map<string, string>();
  for (const { logicalId } of stack.resources(SUPPORTED_TYPES.function)) {
    const { ref, attributes } = stack.identity(logicalId);
    const own = [ref, attributes.Arn ?? ref];
    const aliased = own
      .flatMap((name) => aliases.get(name) ?? [])
      .flatMap(({ Name }) => own.map((name) => `${name}:${Name}`));
    for (const name of [...own, ...aliased]) if (!found.has(name)) found.set(name, logicalId);
  }
  return (name) => found.get(name);
};

export const readFunctions = (
  stack: Stack,
  assetPath: SynthesizedStack['assetPath'],
): readonly FunctionDefinition[] =>
  stack.resources(SUPPORTED_TYPES.function).map((resource) => {
    const { logicalId } = resource;
    const properties = stack.properties(resource, functionSchema);
    const bundle = assetPath(properties.Code.S3Key);
    if (bundle === undefined) throw new LocalCloudError(`${logicalId}.Code: the asset does not exist.`);
    return {
      logicalId,
      name: stack.identity(logicalId).ref,
      arn: stack.identity(logicalId).attributes.Arn ?? '',
      bundle,
      handler: properties.Handler,
      runtime: properties.Runtime,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      variables: properties.Environment.Variables,
      allowsRecursion: properties.RecursiveLoop === 'Allow',
    };
  });

export type CloudAccess = {
  /** Addresses on this machine in place of others. */
  readonly standIns?: Readonly<Record<string, string>>;
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: (principal: string) => {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
};

/**
 * The variables of the template and of Lambda. Only AWS_ENDPOINT_URL and ALLOW_LOOPBACK, which allows webhook
 * endpoints and input images on this machine, do not exist on AWS.
 */
export const functionEnvironment = (
  definition: FunctionDefinition,
  { region, endpoint, credentials, standIns = {} }: CloudAccess,
): Record<string, string> => {
  const variables = Object.entries(definition.variables).map(([name, value]) => {
    const replaced = Object.entries(standIns).reduce(
      (text, [address, standIn]) => text.replaceAll(address, standIn),
      value,
    );
    return [name, replaced] as const;
  });
  const { accessKeyId, secretAccessKey } = credentials(definition.logicalId);
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    LAMBDA_TASK_ROOT: definition.bundle,
    LANG: 'en_US.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
    ALLOW_LOOPBACK: 'true',
    ...Object.fromEntries(variables),
    _HANDLER: definition.handler,
  };
};
