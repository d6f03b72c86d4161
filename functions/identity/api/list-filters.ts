import { invalidField } from '../../platform/domain/errors.ts';
import { KEY_ID } from '../domain/api-key.ts';
import { isPersonId } from '../domain/person.ts';

/** The key or console session whose items a list has; undefined for all. */
export const readKeyId = (query: (name: string) => string | undefined): string | undefined => {
  const value = query('api_key_id');
  if (value === undefined || KEY_ID.test(value)) return value;
  throw invalidField('api_key_id', 'api_key_id must be the id of a key (key_…) or of a session (sess_…).');
};

/** The person whose items a list has; undefined for all. */
export const readPersonId = (query: (name: string) => string | undefined): string | undefined => {
  const value = query('user_id');
  if (value === undefined || isPersonId(value)) return value;
  throw invalidField('user_id', 'user_id must be the id of a person (user_…).');
};
