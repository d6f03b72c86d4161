import type { Output } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type KeyStore, KeyStoreError } from './key-store.ts';

/** A stack that commands work on, deployed or local: what its outputs name, and how to reach that. */
export type OperatedStack = {
  readonly outputs: Readonly<Record<string, string>>;
  readonly clientConfig: DynamoDBClientConfig;
};

export const outputOf = ({ outputs }: OperatedStack, name: string): string => {
  const value = outputs[name];
  if (value === undefined)
    throw new KeyStoreError(`The stack has no output ${name}: it is of another version, or another service.`);
  return value;
};

/** Tables kept from earlier deployments bear much the same name, so that the stack's outputs decide. */
export const tableOf = (stack: OperatedStack, output: string): KeyStore => ({
  clientConfig: stack.clientConfig,
  tableName: outputOf(stack, output),
});

/** Where clients reach it, without a last slash. */
export const baseUrlOf = (stack: OperatedStack): string => outputOf(stack, 'BaseUrl').replace(/\/$/, '');

/** A budget of money means nothing where nothing has a price. */
export const requirePrices = (stack: OperatedStack): void => {
  if (outputOf(stack, 'PriceCurrency') === 'none')
    throw new KeyStoreError('A monthly budget needs prices: give the stack the setting prices first.');
};

export const deployedStack = async (stackName: string): Promise<OperatedStack> => ({
  clientConfig: {},
  outputs: Object.fromEntries(
    (await outputsOf(stackName)).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  ),
});

/** In one sentence, what somebody new to AWS meets first. */
const reasonOf = ({ name, message }: Error, stackName: string): string | undefined => {
  if (message.endsWith('does not exist')) return `There is no stack ${stackName} in this account and region.`;
  // It is missing, or not accepted.
  if (message.startsWith('Region '))
    return 'There is no AWS region: set AWS_REGION to the one that the stack is in.';
  if (name === 'CredentialsProviderError')
    return 'There are no AWS credentials: sign in, or set AWS_PROFILE to a profile that has them.';
  return undefined;
};

const outputsOf = async (stackName: string): Promise<readonly Output[]> => {
  // Only a deployed stack needs it.
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  try {
    const command = new DescribeStacksCommand({ StackName: stackName });
    const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(command);
    return stack?.Outputs ?? [];
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error, stackName) : undefined;
    throw reason === undefined ? error : new KeyStoreError(reason);
  }
};
