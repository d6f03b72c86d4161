import { CloudFormationClient, DescribeStacksCommand, type Output } from '@aws-sdk/client-cloudformation';
import { type KeyStore, KeyStoreError } from './api-keys.ts';

/** A table that a deployed stack names; tables kept from earlier deployments bear much the same name. */
export const deployedTable = async (stackName: string, output: string): Promise<KeyStore> => ({
  clientConfig: {},
  tableName: (await outputReader(stackName))(output),
});

/** The sessions of a deployed stack, and the address of its console without a last slash. */
export const deployedSessions = async (
  stackName: string,
): Promise<{ readonly store: KeyStore; readonly baseUrl: string }> => {
  const output = await outputReader(stackName);
  return {
    store: { clientConfig: {}, tableName: output('SessionTableName') },
    baseUrl: output('BaseUrl').replace(/\/$/, ''),
  };
};

const outputReader = async (stackName: string): Promise<(name: string) => string> => {
  const outputs = await outputsOf(stackName);
  return (name) => {
    const value = outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value !== undefined) return value;
    throw new KeyStoreError(`The stack ${stackName} has no output ${name}: it is not one of this service.`);
  };
};

export const deployedKeys = (stackName: string): Promise<KeyStore> =>
  deployedTable(stackName, 'KeyTableName');

const outputsOf = async (stackName: string): Promise<readonly Output[]> => {
  try {
    const command = new DescribeStacksCommand({ StackName: stackName });
    const { Stacks: [stack] = [] } = await new CloudFormationClient({}).send(command);
    return stack?.Outputs ?? [];
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('does not exist'))
      throw new KeyStoreError(`There is no stack ${stackName} in this account and region.`);
    throw error;
  }
};
