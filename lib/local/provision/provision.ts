import type { Stack } from '../template/stack.ts';
import { provisionBuckets } from './buckets.ts';
import type { ClientConfig } from './client-config.ts';
import { provisionQueues } from './queues.ts';
import { provisionTables } from './tables.ts';

/** Makes what the template has and the data folder has not; data that are there stay. */
export const provision = async (stack: Stack, config: ClientConfig): Promise<void> => {
  await Promise.all([
    provisionTables(stack, config),
    provisionQueues(stack, config),
    provisionBuckets(stack, config),
  ]);
};
