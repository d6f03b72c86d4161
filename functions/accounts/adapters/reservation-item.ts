import {
  type Attributes,
  amountOrNull,
  boolean,
  encode,
  month,
  oneOf,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dueIndex } from '../../platform/aws/due-index.ts';
import { ORPHAN_AGE, RESERVATION_KINDS, type Reservation } from '../domain/limits.ts';

/**
 * A reservation as DynamoDB holds it, under the task that it is for: each is a partition of its own, so that those of
 * a busy account are spread. The keys of the index that the sweeper reads are beside it.
 */

export const DUE_INDEX = dueIndex(4);

export const reservationKey = ({ taskId }: Pick<Reservation, 'taskId'>): Attributes => encode({ taskId });

/** When the sweeper looks whether anybody still needs it. */
export const dueAt = ({ kind, at }: Pick<Reservation, 'kind' | 'at'>): number => at + ORPHAN_AGE[kind];

export const toItem = (reservation: Reservation): Attributes =>
  encode({ ...reservation, due_shard: DUE_INDEX.shardFor(reservation.taskId), due_at: dueAt(reservation) });

/** A corrupt item throws: it is not the same as no item. */
export const readReservation = (item: Attributes): Reservation =>
  ({
    id: text(item, 'id'),
    kind: oneOf(item, 'kind', RESERVATION_KINDS),
    account: text(item, 'account'),
    keyId: text(item, 'keyId'),
    countsForKey: boolean(item, 'countsForKey'),
    month: month(item, 'month'),
    amount: amountOrNull(item, 'amount'),
    taskId: text(item, 'taskId'),
    at: time(item, 'at'),
  }) satisfies { readonly [Property in keyof Required<Reservation>]: Reservation[Property] };
