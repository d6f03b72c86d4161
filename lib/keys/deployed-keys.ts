import { CloudFormationClient, DescribeStacksCommand, type Output } from '@aws-sdk/client-cloudformation';
import { type KeyStore, KeyStoreError } from './api-keys.ts';

const OUTPUT = 'KeyTableName';

/** The key table that a deployed stack names; tables kept from earlier deployments bear much the same name. */
export const deployedKeys = async (stackName: string): Promise<KeyStore> => {
  const outputs = await outputsOf(stackName);
  const tableName = outputs.find(({ OutputKey }) => OutputKey === OUTPUT)?.OutputValue;
  if (tableName === undefined)
    throw new KeyStoreError(`The stack ${stackName} has no output ${OUTPUT}: it is not one of this service.`);
  return { clientConfig: {}, tableName };
};

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
