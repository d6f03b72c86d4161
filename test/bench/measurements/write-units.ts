import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  type TransactWriteItemsCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoReservations } from '../../../functions/billing/adapters/dynamo-reservations.ts';
import { type ReservationTables, toItem } from '../../../functions/billing/adapters/reservation-writes.ts';
import type { Reservation } from '../../../functions/billing/domain/limits.ts';
import { toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import { newTaskId } from '../../../functions/platform/domain/ids.ts';
import { emulated } from '../../lib/local/emulators/emulated.ts';
import { createMoneyTables } from '../../support/money-tables.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { percentile, sum } from '../statistics.ts';

const BATCH = 25;
/** Reservation with its index entry, account and key: 3, 2 and 2. */
const UNIT_BUDGET = 7;

const CEILINGS = {
  limits: { monthlyBudget: '1000000', videosAtOnce: 100_000, createsPerMinute: 100_000 },
  keyBudget: '1000000',
};
const OPTIONS = { outdated: [] };

const newReservation = (account: string): Reservation => {
  const at = Date.now();
  const taskId = newTaskId(at);
  return {
    id: taskId.slice(-12),
    kind: 'videos',
    account,
    keyId: 'key_0123456789abcdef',
    countsForKey: true,
    month: toUtcMonth(at),
    amount: '3.20',
    taskId,
    at,
  };
};

/** Adds up the consumed write units of all transactions. */
const meter = (client: DynamoDBClient): { units: number; attempts: number } => {
  const state = { units: 0, attempts: 0 };
  client.middlewareStack.add(
    (next) => async (given) => {
      state.attempts += 1;
      const answer = await next({
        ...given,
        input: Object.assign({}, given.input, { ReturnConsumedCapacity: 'TOTAL' }),
      });
      const { ConsumedCapacity }: Partial<TransactWriteItemsCommandOutput> = Object(answer.output);
      if (Array.isArray(ConsumedCapacity))
        state.units += sum(ConsumedCapacity.map(({ CapacityUnits = 0 }) => CapacityUnits));
      return answer;
    },
    { step: 'initialize' },
  );
  return state;
};

/** Writes the reservations and the counter of many creates. */
const openMany = async (
  client: DynamoDBClient,
  tables: ReservationTables,
  account: string,
  count: number,
) => {
  for (let start = 0; start < count; start += BATCH) {
    const puts = Array.from({ length: BATCH }, () => ({
      PutRequest: { Item: toItem(newReservation(account)) },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tables.RESERVATION_TABLE]: puts } }));
  }
  await client.send(
    new UpdateItemCommand({
      TableName: tables.ACCOUNT_TABLE,
      Key: encode({ account }),
      UpdateExpression: 'ADD videos :count',
      ExpressionAttributeValues: encode({ ':count': count }),
    }),
  );
};

type Reservations = ReturnType<typeof dynamoReservations>;

/** Returns how long each took, or undefined if it was rate limited. */
const reserveAtOnce = (reservations: Reservations, account: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const started = performance.now();
      try {
        await reservations.reserve(newReservation(account), CEILINGS, OPTIONS);
        return performance.now() - started;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'rate_limited') return undefined;
        throw error;
      }
    }),
  );

/** The write units of a reservation, and the result of many concurrent ones. */
export const writeUnits = async ({ size }: Stage): Promise<readonly Figure[]> => {
  const [open, atOnce] = size([5000, 50], [BATCH, 2]);
  const cloud = await emulated();
  try {
    const { dynamo } = cloud.clients;
    const tables = await createMoneyTables(dynamo, 'bench');
    const state = meter(dynamo);
    const reservations = dynamoReservations(dynamo, tables);
    const reserveOne = async (): Promise<number> => {
      const before = state.units;
      await reservations.reserve(newReservation('busy'), CEILINGS, OPTIONS);
      return state.units - before;
    };
    await reserveOne();
    const few = await reserveOne();
    await openMany(dynamo, tables, 'busy', open);
    const many = await reserveOne();
    state.attempts = 0;
    const times = await reserveAtOnce(reservations, 'crowd', atOnce);
    const admitted = times.filter((time) => time !== undefined);
    return [
      {
        name: 'write units, create with limits, 1 open reservation',
        measured: few,
        unit: '',
        budget: UNIT_BUDGET,
        note: 'reservation, account and key, without the task',
      },
      {
        name: `write units, create with limits, ${open} open reservations`,
        measured: many,
        unit: '',
        budget: few,
        note: 'the same as with one reservation',
      },
      {
        name: `concurrent reservations, rate limited, of ${atOnce}`,
        measured: atOnce - admitted.length,
        unit: '',
        note: `${(state.attempts / atOnce).toFixed(1)} attempts each, p50 ${percentile(admitted, 0.5).toFixed(0)} ms, p99 ${percentile(admitted, 0.99).toFixed(0)} ms; one account, local DynamoDB`,
      },
    ];
  } finally {
    await cloud.end();
  }
};
