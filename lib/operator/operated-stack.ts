import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Feature } from '../../functions/platform/domain/features.ts';
import type { Logger } from '../../functions/platform/domain/log-events.ts';
import { Refusal } from '../command.ts';

export class OperatorError extends Refusal {
  override readonly name = 'OperatorError';
}

/** A stack that commands work on, deployed or local. */
export type OperatedStack = {
  readonly outputs: Readonly<Record<string, string>>;
  readonly clientConfig: DynamoDBClientConfig;
};

export type StackTable = { readonly clientConfig: DynamoDBClientConfig; readonly tableName: string };

/** The outputs that a stack has only with a feature. */
const FEATURE_OUTPUTS: Readonly<Record<string, Feature>> = {
  MemberTableName: 'people',
  ShareTableName: 'shares',
  WebhookEndpointTableName: 'webhooks',
  WebhookDeliveryTableName: 'webhooks',
};

/** Whether the stack leaves out the feature of an output. */
export const lacksFeature = ({ outputs }: OperatedStack, name: string): boolean =>
  outputs[name] === undefined && FEATURE_OUTPUTS[name] !== undefined;

export const stackOutput = ({ outputs }: OperatedStack, name: string): string => {
  const value = outputs[name];
  const feature = FEATURE_OUTPUTS[name];
  if (value === undefined && feature !== undefined)
    throw new OperatorError(`The feature ${feature} is not part of this stack (setting features).`);
  if (value === undefined)
    throw new OperatorError(
      `The stack has no output ${name}: it belongs to another version or another service.`,
    );
  return value;
};

/** Uses the output, since tables retained from earlier deployments have similar names. */
export const stackTable = (stack: OperatedStack, output: string): StackTable => ({
  clientConfig: stack.clientConfig,
  tableName: stackOutput(stack, output),
});

/** The address for clients, without a trailing slash. */
export const stackBaseUrl = (stack: OperatedStack): string =>
  stackOutput(stack, 'BaseUrl').replace(/\/$/, '');

export const requirePrices = (stack: OperatedStack): void => {
  if (stackOutput(stack, 'PriceCurrency') === 'none')
    throw new OperatorError('A monthly budget requires prices: set the setting prices of the stack first.');
};

export const deployedStack = async (stackName: string): Promise<OperatedStack> => {
  // Imported late, since the local stack does not need it.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  try {
    const command = new DescribeStacksCommand({ StackName: stackName });
    const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(command);
    const outputs = (stack?.Outputs ?? []).map(
      ({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue] as const,
    );
    return { clientConfig: {}, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('does not exist'))
      throw new OperatorError(`There is no stack ${stackName} in this account and region.`);
    throw explainAccess(error);
  }
};

/** Explains the errors that newcomers to AWS see first. */
export const explainAccess = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  // The region is missing or invalid.
  if (error.message.startsWith('Region '))
    return new OperatorError('There is no AWS region: set AWS_REGION to the region of the stack.');
  if (error.name === 'CredentialsProviderError')
    return new OperatorError(
      'There are no AWS credentials: sign in, or set AWS_PROFILE to a profile that has them.',
    );
  return error;
};

/** Reports items that a list skips. */
export const terminalLogger: Pick<Logger, 'error'> = {
  error: (event, error, fields) =>
    console.error(
      [`${event}:`, ...Object.values(fields), error instanceof Error ? `(${error.message})` : ''].join(' '),
    ),
};
