import { endpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import { KEYS, readEnvironment, SHARES } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoShares } from './adapters/dynamo-shares.ts';
import { deletedShare } from './api/share-object.ts';
import { revokeShare } from './usecases/manage-shares.ts';

export const ENVIRONMENT = { ...KEYS, ...SHARES };
const { KEY_TABLE, SHARE_TABLE } = readEnvironment(ENVIRONMENT);
const client = dynamoClient();
const shares = dynamoShares(client, SHARE_TABLE);

export const handler = endpoint(client, KEY_TABLE, async ({ caller, path }) => {
  const id = path('share_id');
  await revokeShare(shares, caller.account, id, Date.now());
  return ok(deletedShare(id));
});
