import { readLimit } from '../../platform/api/parameters.ts';
import { invalidField } from '../../platform/domain/errors.ts';
import { isDeliveryId, isEndpointId } from '../domain/webhook-id.ts';

type Query = (name: string) => string | undefined;

/** Where a page begins; the SDK writes null as nothing. */
const readPage = (query: Query, isId: (id: string) => boolean, what: string) => {
  const limit = readLimit(query);
  const after = query('after');
  if (after === undefined || after === '') return { limit, after: undefined };
  if (!isId(after))
    throw invalidField('after', `after must be the id of ${what}, such as last_id of the page before.`);
  return { limit, after };
};

export const readEndpointQuery = (query: Query) => readPage(query, isEndpointId, 'a webhook endpoint (we_…)');
export const readDeliveryQuery = (query: Query) => readPage(query, isDeliveryId, 'a delivery (wd_…)');
