import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { explainAccess } from './operated-stack.ts';

/** Where the stack is; without a value, the SDK looks in the environment. */
export type Location = { readonly region?: string; readonly profile?: string };

export type AccountQuota = { readonly region: string; readonly concurrentExecutions: number };

/** How many functions may run at the same time in the account and region; undefined if the role may not know. */
export const readAccountQuota = async (location: Location): Promise<AccountQuota | undefined> => {
  const client = new LambdaClient(location);
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
    const concurrentExecutions = AccountLimit?.ConcurrentExecutions;
    if (concurrentExecutions === undefined) return undefined;
    return { region: await client.config.region(), concurrentExecutions };
  } catch (error) {
    if (error instanceof Error && error.name === 'AccessDeniedException') return undefined;
    throw explainAccess(error);
  }
};
