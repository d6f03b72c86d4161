import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import { AUDIT, KEYS, readEnvironment, SHARES } from '../platform/runtime/environment.ts';
import { dynamoShareRemoval } from './adapters/dynamo-shares.ts';
import { SHARE_ENDPOINTS } from './api/endpoints.ts';
import { deletedShare } from './api/share-object.ts';
import { revokeShare } from './usecases/manage-shares.ts';

export const ENVIRONMENT = { ...KEYS, ...SHARES, ...AUDIT };
const { SHARE_TABLE, AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const shares = dynamoShareRemoval(SHARE_TABLE, auditTrail(client, AUDIT_TABLE, logger));

export const handler = jsonEndpoint(SHARE_ENDPOINTS.revokeShare, async ({ path, action }) => {
  const id = path.share_id;
  await revokeShare(shares, action, id);
  return deletedShare(id);
});
