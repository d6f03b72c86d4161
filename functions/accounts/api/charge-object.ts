import * as z from 'zod/mini';
import { ORDERS, readLimit, readTime } from '../../platform/api/parameters.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { csvLine } from '../../platform/domain/csv.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import type { ListedCharge } from '../domain/billing.ts';
import type { ChargePosition } from '../domain/ports.ts';
import { dailyUseOf } from '../domain/usage.ts';
import { amountObject, amountSchema, QUANTITY_UNITS } from './use-object.ts';

export const chargeSchema = z
  .object({
    id: z.string(),
    object: z.literal('organization.charge'),
    kind: z.enum(['video', 'image']),
    created_at: timestamp('When the video or the image was done.'),
    project_id: z.string().check(z.describe('The account.')),
    api_key_id: z.string().check(z.describe('The key, or the session of the console.')),
    task_id: z.nullable(z.string()).check(z.describe('Null for images, which have no task.')),
    model: z.string(),
    size: z.string().check(z.describe('The resolution of a video, the size of an image.')),
    quantity: z.int().check(z.gte(0), z.describe('Seconds of video, or images.')),
    quantity_unit: z.enum(Object.values(QUANTITY_UNITS)),
    unit_price: z.nullable(z.string()).check(z.describe('Null where no price was configured.')),
    amount: z.nullable(amountSchema),
  })
  .check(z.describe('One charge record.'));

export const chargePageSchema = z
  .object({
    object: z.literal('page'),
    data: z.array(chargeSchema),
    has_more: z.boolean(),
    next_page: z.nullable(z.string()).check(z.describe('`page` of the next request.')),
  })
  .check(z.describe('One page of the account’s charges.'));

export type ChargeObject = z.infer<typeof chargeSchema>;
export type ChargePage = z.infer<typeof chargePageSchema>;

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

type Query = (name: string) => string | undefined;

/** Later than any time that a client can name. */
const NO_END = 100_000_000_000_000;
const POSITION = /^(\d{1,14})\.([\w.-]{1,200})$/;

export const pageAfter = ({ id, time }: ChargePosition): string =>
  Buffer.from(`${time}.${id}`).toString('base64url');

const readPosition = (query: Query, from: number, to: number): ChargePosition | undefined => {
  const page = query('page');
  if (page === undefined) return undefined;
  const [, digits, id] = POSITION.exec(Buffer.from(page, 'base64url').toString()) ?? [];
  const time = Number(digits);
  if (id === undefined || !(time >= from && time < to))
    throw invalidField('page', 'page must be next_page of the page before, with the same times.');
  return { id, time };
};

const readRange = (query: Query) => {
  const from = readTime(query, 'start_time') ?? 0;
  const to = readTime(query, 'end_time') ?? NO_END;
  if (to <= from) throw invalidField('end_time', 'end_time must be after start_time.');
  const order = query('order') ?? 'desc';
  if (!isOneOf(ORDERS, order)) throw invalidField('order', `order must be one of ${listed(ORDERS)}.`);
  return { from, to, newestFirst: order === 'desc' };
};

export const readChargeQuery = (query: Query) => {
  const range = readRange(query);
  return { ...range, limit: readLimit(query), after: readPosition(query, range.from, range.to) };
};

/** A file is the whole of what was asked for, so it has no pages. */
export const readChargeFileQuery = (query: Query) => {
  const paging = ['limit', 'page'].find((name) => query(name) !== undefined);
  if (paging !== undefined)
    throw invalidField(paging, `${paging} is not supported with text/csv: the file has all charges.`);
  return { ...readRange(query), after: undefined };
};

/** How much a client wants a type, from 0 to 1. */
const weightOf = (accept: string, type: string): number => {
  const range = accept
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim()))
    .find(([name]) => name === type);
  if (range === undefined) return 0;
  const quality = range.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice('q='.length));
};

/** JSON unless the client names CSV and does not prefer JSON. */
export const wantsCsv = (accept = ''): boolean => {
  const csv = weightOf(accept, 'text/csv');
  return csv > 0 && csv >= weightOf(accept, 'application/json');
};
