import { userInfo } from 'node:os';
import { type AuditTrail, auditTrail } from '../../functions/platform/authentication/audit-trail.ts';
import type { AuditOrigin } from '../../functions/platform/domain/audit.ts';
import { dynamoClient } from './dynamo-client.ts';
import { type OperatedStack, stackOutput } from './operated-stack.ts';

/** The name of the user on this machine; a container may have a user without one. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
};

/** Who changes something with a command. The address is not known, since the command calls AWS itself. */
export const operatorOrigin = (): AuditOrigin => ({
  actor: { kind: 'operator', id: userName() },
  ip: undefined,
  userAgent: undefined,
});

/** Writes no log line: commands do not run where the logs are collected. */
export const operatorAudit = (stack: OperatedStack): AuditTrail =>
  auditTrail(dynamoClient(stack.clientConfig), stackOutput(stack, 'AuditTableName'), {
    info: () => {},
  });
