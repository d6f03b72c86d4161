import * as z from 'zod/mini';
import { isSessionId } from '../../identity/domain/session.ts';
import { readLimit, readNewestFirst } from '../../platform/api/pages.ts';
import { type Query, readTime, toSeconds } from '../../platform/api/parameters.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import type { Page } from '../../platform/domain/pages.ts';
import { csvLine } from '../../platform/domain/text.ts';
import type { ListedCharge } from '../domain/charges.ts';
import type { ChargePosition } from '../domain/ports.ts';
import { toDailyUsage } from '../domain/usage.ts';
import { amountObject, amountSchema, pageSchema, QUANTITY_UNITS } from './usage-object.ts';

export const chargeSchema = z
  .object({
    id: z.string(),
    object: z.literal('organization.charge'),
    kind: z.enum(['video', 'image']),
    created_at: timestamp('When the video or image was completed.'),
    project_id: z.string().check(z.describe('The account.')),
    api_key_id: z.string().check(z.describe('The API key or console session.')),
    user_id: z
      .nullable(z.string())
      .check(z.describe('The person who made the request. Null if the key belonged to the account.')),
    task_id: z.nullable(z.string()).check(z.describe('Null for images, which have no task.')),
    file_id: z
      .nullable(z.string())
      .check(z.describe('The file of the image. Null for videos, and for images that were not stored.')),
    upstream: z.nullable(z.string()).check(z.describe('The name of the upstream that made it.')),
    model: z.string(),
    upstream_model: z
      .optional(z.string())
      .check(z.describe('The model that made the video, if the operator chose another one.')),
    size: z.string().check(z.describe('The resolution of a video, the size of an image.')),
    quantity: z.int().check(z.gte(0), z.describe('Seconds of video, or images.')),
    quantity_unit: z.enum(Object.values(QUANTITY_UNITS)),
    unit_price: z.nullable(z.string()).check(z.describe('Null if no price was configured.')),
    amount: z.nullable(amountSchema),
  })
  .check(z.describe('A charge record.'));

export const chargePageSchema = pageSchema(chargeSchema, 'A page of the account’s charges.');

export type ChargeObject = z.infer<typeof chargeSchema>;
export type ChargePage = z.infer<typeof chargePageSchema>;

const fileId = (charge: ListedCharge): string | null =>
  charge.kind === 'image' ? (charge.fileId ?? null) : null;

const chargeObject = (charge: ListedCharge): ChargeObject => {
  const { kind, model, size, quantity, amount, currency } = toDailyUsage(charge);
  return {
    id: charge.id,
    object: 'organization.charge',
    kind,
    created_at: toSeconds(charge.time),
    project_id: charge.account,
    api_key_id: charge.keyId,
    user_id: charge.personId ?? null,
    task_id: charge.kind === 'video' ? charge.taskId : null,
    file_id: fileId(charge),
    upstream: charge.upstream,
    model,
    ...(charge.kind === 'video' && charge.upstreamModel !== undefined
      ? { upstream_model: charge.upstreamModel }
      : {}),
    size,
    quantity,
    quantity_unit: QUANTITY_UNITS[kind],
    unit_price: charge.unitPrice,
    amount: amount === null ? null : amountObject(amount, currency),
  };
};

const pageAfter = ({ id, time }: ChargePosition): string =>
  Buffer.from(`${time}.${id}`).toString('base64url');

export const chargePage = ({ items, hasMore }: Page<ListedCharge>): ChargePage => {
  const last = items.at(-1);
  return {
    object: 'page',
    data: items.map(chargeObject),
    has_more: hasMore,
    next_page: hasMore && last !== undefined ? pageAfter(last) : null,
  };
};

/** The names of keys and people by their ids. */
type Names = ReadonlyMap<string, string>;

/** The console shows requests of its sessions under this name. */
const SESSION_NAME = 'Console';
/** Charges outlive the people who made them, whose names are then not stored any more. */
const REMOVED_PERSON = 'Removed person';

const COLUMNS = {
  time: ({ time }) => new Date(time).toISOString(),
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  task_id: (charge) => (charge.kind === 'video' ? charge.taskId : null),
  file_id: (charge) => fileId(charge),
  api_key_id: ({ keyId }) => keyId,
  api_key_name: ({ keyId }, names) => names.get(keyId) ?? (isSessionId(keyId) ? SESSION_NAME : null),
  user_id: ({ personId }) => personId ?? null,
  user_name: ({ personId }, names) =>
    personId === undefined ? null : (names.get(personId) ?? REMOVED_PERSON),
  upstream: ({ upstream }) => upstream,
  model: ({ model }) => model,
  size: (charge) => toDailyUsage(charge).size,
  quantity: (charge) => toDailyUsage(charge).quantity,
  quantity_unit: ({ kind }) => QUANTITY_UNITS[kind],
  unit_price: ({ unitPrice }) => unitPrice,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
} as const satisfies Record<string, (charge: ListedCharge, names: Names) => string | number | null>;

/** Lines are sent in chunks, because a chunk per line costs more than the line. */
const CHUNK_LENGTH = 64 * 1024;

/** A header line, then one line per charge. */
export async function* chargeFile(
  charges: AsyncIterable<ListedCharge>,
  names: Names,
): AsyncGenerator<string> {
  let lines = csvLine(Object.keys(COLUMNS));
  for await (const charge of charges) {
    lines += csvLine(Object.values(COLUMNS).map((read) => read(charge, names)));
    if (lines.length < CHUNK_LENGTH) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** Later than any time that a client can name. */
const NO_END = 100_000_000_000_000;
const POSITION = /^(\d{1,14})\.([\w.-]{1,200})$/;

const readPosition = (query: Query, from: number, to: number): ChargePosition | undefined => {
  const page = query('page');
  if (page === undefined) return undefined;
  const [, digits, id] = POSITION.exec(Buffer.from(page, 'base64url').toString()) ?? [];
  const time = Number(digits);
  if (id === undefined || !(time >= from && time < to))
    throw invalidField('page', 'page must be next_page of the previous page, with the same times.');
  return { id, time };
};

const readRange = (query: Query) => {
  const from = readTime(query, 'start_time') ?? 0;
  const to = readTime(query, 'end_time') ?? NO_END;
  if (to <= from) throw invalidField('end_time', 'end_time must be after start_time.');
  return { from, to, newestFirst: readNewestFirst(query) };
};

export const readChargeQuery = (query: Query) => {
  const range = readRange(query);
  return { ...range, limit: readLimit(query), after: readPosition(query, range.from, range.to) };
};

/** A file has all charges of the range, so it has no pages. */
export const readChargeFileQuery = (query: Query) => {
  const paging = ['limit', 'page'].find((name) => query(name) !== undefined);
  if (paging !== undefined)
    throw invalidField(
      paging,
      `${paging} is not supported with text/csv, because the file contains all charges.`,
    );
  return { ...readRange(query), after: undefined };
};

/** The weight of a media type in an Accept header, from 0 to 1. */
const acceptWeight = (accept: string, type: string): number => {
  const range = accept
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim()))
    .find(([name]) => name === type);
  if (range === undefined) return 0;
  const quality = range.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice('q='.length));
};

/** JSON, unless the client accepts CSV and does not prefer JSON. */
export const wantsCsv = (accept = ''): boolean => {
  const csv = acceptWeight(accept, 'text/csv');
  return csv > 0 && csv >= acceptWeight(accept, 'application/json');
};
