import type { FunctionDefinition } from './definition.ts';

export type CloudAccess = {
  readonly region: string;
  readonly endpoint: string;
  /** Signs as this principal, so that the emulators know who calls. */
  readonly credentials: (principal: string) => {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
};

/**
 * The template's variables and what Lambda itself provides. The local additions are AWS_ENDPOINT_URL, and
 * WEBHOOK_LOOPBACK: people try webhooks with a receiver on their own machine.
 */
export const functionEnvironment = (
  definition: FunctionDefinition,
  { region, endpoint, credentials }: CloudAccess,
): Record<string, string> => {
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
    WEBHOOK_LOOPBACK: 'true',
    ...definition.variables,
    _HANDLER: definition.handler,
  };
};
