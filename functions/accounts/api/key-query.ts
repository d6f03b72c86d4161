import { readLimit } from '../../platform/api/parameters.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import { ACCESSES } from './key-schema.ts';

export const readKeyQuery = (query: (name: string) => string | undefined) => {
  const access = query('owner_project_access') ?? 'any';
  if (!isOneOf(ACCESSES, access))
    throw invalidField('owner_project_access', `owner_project_access must be one of ${listed(ACCESSES)}.`);
  return { limit: readLimit(query), after: query('after'), access };
};
