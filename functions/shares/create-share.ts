import { auditTrail } from '../identity/adapters/audit-trail.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import { client, jsonEndpoint, logger } from '../identity/authentication/endpoint.ts';
import {
  AUDIT,
  KEYS,
  PUBLIC_ADDRESS,
  readEnvironment,
  SHARED_ITEMS,
} from '../platform/runtime/environment.ts';
import { dynamoNewShares } from './adapters/dynamo-shares.ts';
import { SHARE_ENDPOINTS } from './api/endpoints.ts';
import { createdShare, readShareTerms } from './api/share-object.ts';
import { sharedItems } from './shared-items.ts';
import { createShare } from './usecases/manage-shares.ts';

export const ENVIRONMENT = { ...KEYS, ...SHARED_ITEMS, ...PUBLIC_ADDRESS, ...AUDIT };
const environment = readEnvironment(ENVIRONMENT);
const { MEMBER_TABLE, SHARE_TABLE, AUDIT_TABLE } = environment;
const dependencies = {
  shares: dynamoNewShares(client, SHARE_TABLE, logger, {
    audit: auditTrail(client, AUDIT_TABLE, logger),
    members: dynamoMembers(client, MEMBER_TABLE),
  }),
  ...sharedItems(client, environment, logger),
};

export const handler = jsonEndpoint(SHARE_ENDPOINTS.createShare, async ({ body, publicUrl, action }) => {
  const terms = readShareTerms(body);
  const { share, token } = await createShare(dependencies, action, terms);
  return createdShare(share, publicUrl, token);
});
