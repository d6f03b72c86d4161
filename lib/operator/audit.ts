import { userInfo } from 'node:os';
import { type AuditTrail, auditTrail } from '../../functions/identity/adapters/audit-trail.ts';
import { dynamoAuditLog } from '../../functions/identity/adapters/dynamo-audit-log.ts';
import {
  AUDIT_DAYS,
  type AuditActor,
  type AuditEntry,
  type CallerAction,
} from '../../functions/identity/domain/audit.ts';
import { DAY } from '../../functions/platform/domain/durations.ts';
import type { Logger } from '../../functions/platform/domain/log-events.ts';
import { toPrintable } from '../command.ts';
import { dynamoClient } from './dynamo-client.ts';
import { type OperatedStack, type StackTable, stackOutput, terminalLogger } from './operated-stack.ts';

/** The name of the user on this machine; a container may have a user without one. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
};

/** Who changes something with a command. The address is not known, since the command calls AWS itself. */
export const operatorAction = (account: string): CallerAction => ({
  // Like an admin key: an operator has no role in the account.
  caller: { account, keyId: '' },
  account,
  at: Date.now(),
  actor: { kind: 'operator', id: userName() },
});

/** Prints no log line of an audit entry: commands do not run where the logs are collected. */
export const quietLogger: Logger = { ...terminalLogger, info: () => {} };

export const operatorAudit = (stack: OperatedStack): AuditTrail =>
  auditTrail(dynamoClient(stack.clientConfig), stackOutput(stack, 'AuditTableName'), quietLogger);

/** The tables of keys and of the people who own them, if the stack has people; changes to both are audited. */
export const ownerTables = (stack: OperatedStack) => ({
  KEY_TABLE: stackOutput(stack, 'KeyTableName'),
  MEMBER_TABLE: stack.outputs.MemberTableName,
  AUDIT_TABLE: stackOutput(stack, 'AuditTableName'),
});

const EVERYTHING = { types: [], actorIds: [], actorEmails: [], resourceIds: [] };
/** Later than any entry. */
const NO_END = 100_000_000_000_000;
const PER_READ = 1000;

/** The entries of an account from the given time on, newest first, each in one line. */
export async function* auditLines(
  { clientConfig, tableName }: StackTable,
  account: string,
  from: number,
): AsyncGenerator<string> {
  const log = dynamoAuditLog(dynamoClient(clientConfig), tableName, terminalLogger);
  let after: string | undefined;
  do {
    const { items, hasMore, resumeAfter } = await log.page(account, {
      limit: PER_READ,
      // DynamoDB removes expired entries some days later.
      from: Math.max(from, Date.now() - AUDIT_DAYS * DAY),
      to: NO_END,
      cursor: after === undefined ? undefined : { kind: 'after', id: after },
      filter: EVERYTHING,
    });
    yield* items.map(describeEntry);
    after = hasMore ? (resumeAfter ?? items.at(-1)?.id) : undefined;
  } while (after !== undefined);
}

const describeActor = (actor: AuditActor): string => {
  const person = actor.kind === 'operator' ? undefined : actor.personId;
  const email = actor.kind === 'session' ? actor.email : undefined;
  return [actor.kind, actor.id, person, email].filter((part) => part !== undefined).join(' ');
};

const describeEntry = ({ at, type, resourceId, actor, ip, details }: AuditEntry): string =>
  toPrintable(
    [
      new Date(at).toISOString(),
      type,
      resourceId,
      `by ${describeActor(actor)}`,
      ...(ip === undefined ? [] : [`from ${ip}`]),
      ...(Object.keys(details).length === 0 ? [] : [JSON.stringify(details)]),
    ].join('  '),
  );
