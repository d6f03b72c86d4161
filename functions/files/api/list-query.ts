import { ORDERS } from '../../platform/api/parameters.ts';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { isOneOf } from '../../platform/domain/models.ts';
import type { FilePageQuery } from '../domain/file-ports.ts';
import { FILE_PURPOSES, isFileId } from '../domain/files.ts';

/** As the API that clients were written for has it: unless asked otherwise, all are in one page. */
export const MAX_FILES = 10_000;
const WHOLE_NUMBER = /^[1-9]\d{0,4}$/;

export const readFileQuery = (query: (name: string) => string | undefined): FilePageQuery => {
  const limit = query('limit') ?? String(MAX_FILES);
  if (!WHOLE_NUMBER.test(limit) || Number(limit) > MAX_FILES)
    throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_FILES}.`);
  const order = query('order') ?? 'desc';
  if (!isOneOf(ORDERS, order)) throw invalidField('order', `order must be one of ${listed(ORDERS)}.`);
  const after = query('after');
  if (after !== undefined && !isFileId(after))
    throw invalidField('after', 'after must be the id of a file, such as last_id of the page before.');
  const purpose = query('purpose');
  if (purpose !== undefined && !isOneOf(FILE_PURPOSES, purpose))
    throw invalidField('purpose', `purpose must be one of ${listed(FILE_PURPOSES)}.`);
  return { limit: Number(limit), newestFirst: order === 'desc', after, purpose };
};
