import { csvLine } from '../../platform/domain/csv.ts';
import type { ListedCharge } from '../domain/billing.ts';
import { dailyUseOf } from '../domain/daily-use.ts';
import { pageAfter } from './charge-query.ts';
import type { ChargeObject, ChargePage } from './charge-schema.ts';
import { amountObject } from './use-object.ts';
import { QUANTITY_UNITS } from './use-schema.ts';

export const chargeObject = (charge: ListedCharge): ChargeObject => {
  const { kind, model, size, quantity, amount, currency } = dailyUseOf(charge);
  return {
    id: charge.id,
    object: 'organization.charge',
    kind,
    created_at: Math.floor(charge.time / 1000),
    project_id: charge.account,
    api_key_id: charge.keyId,
    task_id: charge.kind === 'video' ? charge.taskId : null,
    model,
    size,
    quantity,
    quantity_unit: QUANTITY_UNITS[kind],
    unit_price: charge.unitPrice,
    amount: amount === null ? null : amountObject(amount, currency),
  };
};

export const chargePage = (charges: readonly ListedCharge[], hasMore: boolean): ChargePage => {
  const last = charges.at(-1);
  return {
    object: 'page',
    data: charges.map(chargeObject),
    has_more: hasMore,
    next_page: hasMore && last !== undefined ? pageAfter(last) : null,
  };
};

const COLUMNS = {
  time: ({ time }) => new Date(time).toISOString(),
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  task_id: (charge) => (charge.kind === 'video' ? charge.taskId : null),
  api_key_id: ({ keyId }) => keyId,
  model: ({ model }) => model,
  size: (charge) => dailyUseOf(charge).size,
  quantity: (charge) => dailyUseOf(charge).quantity,
  quantity_unit: ({ kind }) => QUANTITY_UNITS[kind],
  unit_price: ({ unitPrice }) => unitPrice,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
} as const satisfies Record<string, (charge: ListedCharge) => string | number | null>;

/** A chunk for each line would cost more than the line. */
const CHUNK_LENGTH = 64 * 1024;

/** A line of names, then a line a charge. */
export async function* chargeFile(charges: AsyncIterable<ListedCharge>): AsyncGenerator<string> {
  let lines = csvLine(Object.keys(COLUMNS));
  for await (const charge of charges) {
    lines += csvLine(Object.values(COLUMNS).map((read) => read(charge)));
    if (lines.length < CHUNK_LENGTH) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}
