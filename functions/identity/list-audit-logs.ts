import { AUDIT, KEYS, readEnvironment } from '../platform/runtime/environment.ts';
import { dynamoAuditLog } from './adapters/dynamo-audit-log.ts';
import { auditLogList, readAuditQuery } from './api/audit-log-object.ts';
import { AUDIT_ENDPOINTS } from './api/endpoints.ts';
import { client, jsonEndpoint, logger } from './authentication/endpoint.ts';

export const ENVIRONMENT = { ...KEYS, ...AUDIT };
const { AUDIT_TABLE } = readEnvironment(ENVIRONMENT);
const log = dynamoAuditLog(client, AUDIT_TABLE, logger);

export const handler = jsonEndpoint(AUDIT_ENDPOINTS.listAuditLogs, async (request) => {
  const { account } = request.caller;
  const query = readAuditQuery(request, account, Date.now());
  if (query === undefined) return auditLogList({ items: [], hasMore: false }, 'after');
  return auditLogList(await log.page(account, query), query.cursor?.kind ?? 'after');
});
