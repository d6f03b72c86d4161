import { invalidField } from '../domain/errors.ts';
import { isTaskId } from '../domain/task-id.ts';
import { readChoice, readWholeNumber } from './typed-fields.ts';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
export const ORDERS = ['asc', 'desc'] as const;

export type ListQuery = {
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly after: string | undefined;
};

export const readListQuery = (query: (name: string) => string | undefined): ListQuery => {
  const limit = readWholeNumber('limit', query('limit')) ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidField('limit', `limit must be from 1 to ${MAX_LIMIT}.`);
  const after = query('after');
  if (after !== undefined && !isTaskId(after))
    throw invalidField('after', 'after must be the id of a video, such as last_id of the page before.');
  return { limit, newestFirst: readChoice('order', ORDERS, query('order')) !== 'asc', after };
};
