import { readTime } from '../../platform/api/parameters.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf, VIDEO_MODELS } from '../../platform/domain/models.ts';
import { TASK_STATUSES } from '../domain/task.ts';
import type { TaskFilter } from '../domain/task-filter.ts';

type Query = (name: string) => string | undefined;

export const KEY_ID = /^(?:key_[0-9a-f]{16}|sess_[0-9a-f]{32})$/;

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

/** Undefined where the list is of all tasks. */
export const readTaskFilter = (query: Query): TaskFilter | undefined => {
  const filter = {
    status: choice(query, 'status', TASK_STATUSES),
    model: choice(query, 'model', VIDEO_MODELS),
    keyId: keyId(query),
    createdFrom: readTime(query, 'created_after'),
    createdBefore: readTime(query, 'created_before'),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
};
