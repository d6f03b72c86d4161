import * as z from 'zod';
import type { Entries, Item, Operation, Store } from './dynalite.ts';
import { isConditionFailure, toAwsError, validationError } from './errors.ts';

const Wish = z.object({ ReturnValuesOnConditionCheckFailure: z.unknown().optional() });

const wishOf = (input: unknown): boolean => {
  const wish = Wish.safeParse(input).data?.ReturnValuesOnConditionCheckFailure;
  if (wish === undefined || wish === 'NONE') return false;
  if (wish === 'ALL_OLD') return true;
  throw validationError('ReturnValuesOnConditionCheckFailure must be one of ALL_OLD, NONE');
};

/** A store that tells which item an operation read before it checked its condition. */
const observed = (store: Store, onRead: (item: Item | undefined) => void): Store => ({
  ...store,
  getItemDb: (table): Entries => {
    const entries = store.getItemDb(table);
    return {
      ...entries,
      get: (key, callback) =>
        entries.get(key, (error, item) => {
          onRead(item);
          callback(error, item);
        }),
    };
  },
});

/** Runs an operation; a failed condition carries the item that failed it, where the caller asks for it. */
export const withOldItem =
  (operation: Operation) =>
  async (store: Store, input: unknown): Promise<unknown> => {
    const wanted = wishOf(input);
    const data = operation.validate(store, input);
    if (!wanted) return operation.run(store, data);
    let found: Item | undefined;
    const reading = observed(store, (item) => {
      found = item;
    });
    return operation.run(reading, data).catch((error) => {
      const told = toAwsError(error);
      throw isConditionFailure(told) && found !== undefined ? toAwsError(error, { Item: found }) : told;
    });
  };
