import * as z from 'zod';
import { loadOperation, type Operation } from './dynalite.ts';
import { validationError } from './errors.ts';

const Write = z.looseObject({
  TableName: z.string(),
  Key: z.record(z.string(), z.unknown()).optional(),
  Item: z.record(z.string(), z.unknown()).optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(['ALL_OLD', 'NONE']).optional(),
});

const TransactionInput = z.object({
  TransactItems: z
    .array(
      z.object({
        Put: Write.optional(),
        Update: Write.optional(),
        Delete: Write.optional(),
        ConditionCheck: Write.optional(),
      }),
    )
    .min(1)
    .max(100),
  ClientRequestToken: z.string().min(1).max(36).optional(),
  ReturnConsumedCapacity: z.enum(['INDEXES', 'TOTAL', 'NONE']).optional(),
});
export type TransactionInput = z.infer<typeof TransactionInput>;

/** One write of a transaction: the permission that it needs, and the operation that does it. */
export type TransactionWrite = {
  readonly action: string;
  readonly table: string;
  readonly operation: Operation;
  /** A check is a deletion whose write is thrown away. */
  readonly isCheck: boolean;
  readonly input: z.infer<typeof Write>;
};

const KINDS = [
  ['Put', 'PutItem', 'PutItem'],
  ['Update', 'UpdateItem', 'UpdateItem'],
  ['Delete', 'DeleteItem', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem', 'DeleteItem'],
] as const;

/** A request is asked for what it accesses, and then done: it is read once. */
const parsed = new WeakMap<object, TransactionInput>();

export const readTransaction = (input: unknown): TransactionInput => {
  const earlier = input instanceof Object ? parsed.get(input) : undefined;
  const transaction = earlier ?? TransactionInput.parse(input);
  if (input instanceof Object) parsed.set(input, transaction);
  return transaction;
};

export const writesOf = ({ TransactItems }: TransactionInput): TransactionWrite[] =>
  TransactItems.map((entry) => {
    const given = KINDS.flatMap(([kind, action, operation]) => {
      const input = entry[kind];
      return input === undefined ? [] : [{ kind, action, operation, input }];
    });
    const [only] = given;
    if (only === undefined || given.length > 1)
      throw validationError(
        'TransactItems can only contain one of Check, Put, Update or Delete in each of its members',
      );
    return {
      action: only.action,
      table: only.input.TableName,
      operation: loadOperation(only.operation),
      isCheck: only.kind === 'ConditionCheck',
      input: only.input,
    };
  });
