import { invalidField, listed } from '../../domain/errors.ts';
import { isOneOf, VIDEO_MODELS } from '../../domain/models.ts';
import { TASK_STATUSES } from '../../domain/task.ts';
import type { TaskFilter } from '../../domain/task-filter.ts';

type Query = (name: string) => string | undefined;

export const KEY_ID = /^(?:key_[0-9a-f]{16}|sess_[0-9a-f]{32})$/;
const UNIX_SECONDS = /^(?:0|[1-9]\d{0,10})$/;

const choice = <T extends string>(query: Query, name: string, values: readonly T[]): T | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!isOneOf(values, value)) throw invalidField(name, `${name} must be one of ${listed(values)}.`);
  return value;
};

const keyId = (query: Query): string | undefined => {
  const value = query('api_key_id');
  if (value === undefined || KEY_ID.test(value)) return value;
  throw invalidField('api_key_id', 'api_key_id must be the id of a key (key_…) or of a session (sess_…).');
};

const time = (query: Query, name: string): number | undefined => {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!UNIX_SECONDS.test(value))
    throw invalidField(name, `${name} must be a Unix timestamp in whole seconds, such as 1767225600.`);
  return Number(value) * 1000;
};

/** Undefined where the list is of all tasks. */
export const readTaskFilter = (query: Query): TaskFilter | undefined => {
  const filter = {
    status: choice(query, 'status', TASK_STATUSES),
    model: choice(query, 'model', VIDEO_MODELS),
    keyId: keyId(query),
    createdFrom: time(query, 'created_after'),
    createdBefore: time(query, 'created_before'),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
};
