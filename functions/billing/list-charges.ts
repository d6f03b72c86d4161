import { dynamoKeyList } from '../identity/adapters/dynamo-keys.ts';
import { memberDirectory } from '../identity/adapters/dynamo-members.ts';
import { client, logger, streamedEndpoint } from '../identity/authentication/endpoint.ts';
import { firstPage } from '../platform/domain/pages.ts';
import { KEYS, readEnvironment, text } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { begun } from '../platform/runtime/stream.ts';
import { dynamoChargeList } from './adapters/dynamo-charges.ts';
import {
  chargeFile,
  chargePage,
  readChargeFileQuery,
  readChargeQuery,
  wantsCsv,
} from './api/charge-object.ts';
import { USAGE_ENDPOINTS } from './api/endpoints.ts';

export const ENVIRONMENT = { ...KEYS, CHARGE_TABLE: text };
const { KEY_TABLE, MEMBER_TABLE, CHARGE_TABLE } = readEnvironment(ENVIRONMENT);
const charges = dynamoChargeList(client, CHARGE_TABLE, logger);
const keys = dynamoKeyList(client, KEY_TABLE, logger);
const members = memberDirectory(client, MEMBER_TABLE, logger);

const CSV_HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="charges.csv"',
};
/** About as many as fit into one read. */
const RECORDS_PER_READ = 1000;

export const handler = streamedEndpoint(
  USAGE_ENDPOINTS.listCharges,
  async ({ caller: { account }, header, query }) => {
    if (!wantsCsv(header('accept'))) {
      const { limit, ...wanted } = readChargeQuery(query);
      return ok(chargePage(await firstPage(charges.list(account, { ...wanted, atOnce: limit + 1 }), limit)));
    }
    const wanted = { ...readChargeFileQuery(query), atOnce: RECORDS_PER_READ };
    const [records, owned, people] = await Promise.all([
      begun(charges.list(account, wanted)),
      keys.listAccount(account),
      members.list(account),
    ]);
    const names = new Map([
      ...owned.map(({ id, name }) => [id, name] as const),
      ...people.map(({ id, name, email }) => [id, name || email || id] as const),
    ]);
    return { status: 200, headers: CSV_HEADERS, chunks: chargeFile(records, names) };
  },
);
