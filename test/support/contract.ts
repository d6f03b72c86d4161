import { describe } from 'node:test';

/**
 * Runs the same cases against the store in memory, on which the fault matrix and the simulation rely, and against the
 * tables of DynamoDB, so that the two cannot differ.
 */
export const describeStores = <Store>(
  port: string,
  stores: { readonly memory: Store; readonly dynamo: Store },
  cases: (store: Store) => void,
): void => {
  describe(`${port} in memory`, () => cases(stores.memory));
  describe(`${port} in DynamoDB`, () => cases(stores.dynamo));
};
