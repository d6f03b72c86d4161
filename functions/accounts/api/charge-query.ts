import { ORDERS, readLimit, readTime } from '../../platform/api/parameters.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import type { ChargePosition } from '../../platform/domain/ports.ts';

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
