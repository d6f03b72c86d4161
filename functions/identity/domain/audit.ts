import { randomBytes } from 'node:crypto';
import type { Caller } from './api-key.ts';
import { isSessionId } from './session.ts';

/** Everything that is recorded, in the names of OpenAI's audit log where it has one. */
export const AUDIT_TYPES = [
  'api_key.created',
  'api_key.updated',
  'api_key.deleted',
  'invite.sent',
  'invite.accepted',
  'invite.deleted',
  'user.added',
  'user.updated',
  'user.deleted',
  'login.succeeded',
  'login.failed',
  'logout.succeeded',
  'session.ended',
  'link.created',
  'rate_limit.updated',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
  'share.created',
  'share.deleted',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'video.updated',
  'video.deleted',
  'file.updated',
  'file.deleted',
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** Who did it: an API key, a console session (of a person, if it has one), or an operator's command. */
export type AuditActor =
  | { readonly kind: 'key'; readonly id: string; readonly personId?: string | undefined }
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly personId?: string | undefined;
      readonly email?: string | undefined;
    }
  | { readonly kind: 'operator'; readonly id: string };

/** Who did it and from where. */
export type AuditOrigin = {
  readonly actor: AuditActor;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
};

export type Action = AuditOrigin & { readonly account: string; readonly at: number };

export type CallerAction = Action & { readonly caller: Caller };

export type Detail = string | number | boolean | null | readonly string[];

/** One entry of an account's audit log. It never contains a secret. */
export type AuditEntry = Action & {
  /** Sorts by time within an account. */
  readonly id: string;
  readonly type: AuditType;
  readonly resourceId: string;
  readonly details: Readonly<Record<string, Detail>>;
};

export const AUDIT_DAYS = 400;

/** Nine base-36 digits hold milliseconds for the next thousand years. */
const TIME_DIGITS = 9;

export const auditIdPrefix = (at: number): string =>
  `audit_log-${Math.floor(at).toString(36).padStart(TIME_DIGITS, '0')}`;

const AUDIT_ID = /^audit_log-[0-9a-z]{9}[0-9a-f]{16}$/;
export const isAuditId = (id: string): boolean => AUDIT_ID.test(id);

/** Names are shorter; a longer text would cost a write unit per kilobyte. */
const MAX_DETAIL_CHARACTERS = 500;

/** DynamoDB refuses text with half of a character, which would refuse the change as well. */
const shorten = (text: string): string => text.slice(0, MAX_DETAIL_CHARACTERS).toWellFormed();

const tidyDetail = (value: Detail): Detail => {
  if (typeof value === 'string') return shorten(value);
  return typeof value === 'object' && value !== null ? value.map(shorten) : value;
};

export const auditEntry = (
  { account, at, actor, ip, userAgent }: Action,
  type: AuditType,
  resourceId: string,
  details: AuditEntry['details'] = {},
): AuditEntry => ({
  account,
  at,
  actor,
  ip,
  userAgent,
  type,
  resourceId,
  details: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, tidyDetail(value)])),
  id: `${auditIdPrefix(at)}${randomBytes(8).toString('hex')}`,
});

/** Long enough for any browser's name; a client may send any text. */
const MAX_USER_AGENT = 300;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

export const readUserAgent = (header: Request['header']): string | undefined =>
  header('user-agent')?.slice(0, MAX_USER_AGENT).replace(NOT_PRINTABLE, '?');

type Request = {
  readonly caller: Caller;
  readonly sourceIp: string | undefined;
  readonly header: (name: string) => string | undefined;
};

export const requestAction = ({ caller, sourceIp, header }: Request): CallerAction => ({
  caller,
  account: caller.account,
  at: Date.now(),
  actor: isSessionId(caller.keyId)
    ? { kind: 'session', id: caller.keyId, personId: caller.personId, email: caller.email }
    : { kind: 'key', id: caller.keyId, personId: caller.personId },
  ip: sourceIp,
  userAgent: readUserAgent(header),
});
