import assert from 'node:assert/strict';
import { COMMITTED, type Stored, type TableName } from './tables.ts';

/** Which faults make an item unreadable, by whoever reads it. */

export type Expected = {
  readonly table: TableName;
  /** The attributes that it looks at. */
  readonly reads: RegExp;
  /** Attributes that may be missing. */
  readonly optional?: readonly string[];
  /** Texts that may be anything. */
  readonly free?: readonly string[];
  /** Neither processed nor unreadable. */
  readonly passedOver?: readonly string[];
};

const toOutcome = (
  { corruption }: Stored,
  expected: Expected,
): 'processed' | 'unreadable' | 'passed over' => {
  if (corruption === undefined) return 'processed';
  const { path, fault } = corruption;
  const { optional = [], free = [], passedOver = [] } = expected;
  if (passedOver.includes(`${path} ${fault}`)) return 'passed over';
  if (!expected.reads.test(path)) return 'processed';
  if (fault === 'is missing' && optional.includes(path)) return 'processed';
  return fault === 'is absurd' && free.includes(path) ? 'processed' : 'unreadable';
};

const describeItem = ({ corruption, id }: Stored): string =>
  corruption === undefined ? `healthy ${id}` : `${corruption.path} ${corruption.fault}`;

/** Every item is processed once, or told as unreadable once by its key. */
export const assertOutcomes = (
  expected: Expected,
  items: readonly Stored[],
  processed: readonly string[],
  toldKeys: readonly string[],
): void => {
  const actual = (item: Stored): string => {
    const times = processed.filter((id) => id === item.id).length;
    const told = toldKeys.filter((key) => key.includes(item.id)).length;
    if (told > 0) return told === 1 && times === 0 ? 'unreadable' : `told ${told} times, processed ${times}`;
    if (times > 0) return times === 1 ? 'processed' : `processed ${times} times`;
    return 'passed over';
  };
  assert.deepEqual(
    Object.fromEntries(items.map((item) => [describeItem(item), actual(item)])),
    Object.fromEntries(items.map((item) => [describeItem(item), toOutcome(item, expected)])),
  );
  const unreadable = items.filter((item) => toOutcome(item, expected) === 'unreadable');
  assert.equal(toldKeys.length, unreadable.length, 'no other item is unreadable');
};

export const TASKS: Expected = {
  table: 'tasks',
  reads: /^task/,
  optional: [
    'request.negativePrompt',
    'request.seed',
    'reservation',
    'reservation.countsForKey',
    'work',
    'operation',
    'submittedAt',
    'generatedAt',
    'refusedSince',
    'source',
    'file',
    'completedAt',
    'failedAt',
    'expiresAt',
    'charge',
    'error',
  ].map((name) => `task.${name}`),
  free: [
    'keyId',
    'fingerprint',
    'request.prompt',
    'request.negativePrompt',
    'reservation.id',
    'reservation.charge.currency',
    'operation',
    'source.uri',
    'file.key',
    'charge.currency',
    'error.message',
  ].map((name) => `task.${name}`),
};
export const DELIVERIES: Expected = {
  table: 'deliveries',
  reads: /^delivery/,
  optional: ['nextAt', 'attemptUntil', 'lastAttempt', 'lastAttempt.statusCode', 'lastAttempt.answer']
    .concat('lastAttempt.error')
    .map((name) => `delivery.${name}`),
  free: ['event.id', 'event.account', 'event.taskId', 'lastAttempt.answer', 'lastAttempt.error'].map(
    (name) => `delivery.${name}`,
  ),
};
export const ENDPOINTS: Expected = {
  table: 'endpoints',
  reads: /^(?!secret$)/,
  optional: ['failingSince', 'respondsQuickly', 'disabled'],
  free: ['name', 'url', 'secretHint'],
};
export const FILES: Expected = { table: 'files', reads: /./, free: ['name', 'mimeType'] };
export const KEYS: Expected = {
  table: 'keys',
  reads: /./,
  optional: ['revokedAt', 'expiresAt', 'monthlyBudget', 'requestsPerSecond'],
  free: ['name', 'lastFour'],
  // It is listed by another id.
  passedOver: ['id is absurd'],
};
export const SHARES: Expected = {
  table: 'shares',
  reads: /^(?!expires$)/,
  free: ['tokenHash', 'keyId', 'item.id'],
};
export const ENTRIES: Expected = {
  table: 'audit',
  reads: /^(?!expires$)/,
  optional: ['actor.personId', 'actor.email', 'ip', 'userAgent'],
  free: ['actor.id', 'actor.personId', 'actor.email', 'ip', 'userAgent', 'resourceId', 'details'],
};
export const SESSIONS: Expected = {
  table: 'sessions',
  reads: /^(?:expiresAt|endsAt|renewAt|role|secretHash)$/,
  free: ['secretHash'],
  // A sign-in link that nobody has used.
  passedOver: ['secretHash is missing'],
};
export const CHARGES: Expected = {
  table: 'charges',
  reads: /./,
  optional: ['personId', 'unitPrice', 'amount', 'currency'],
  free: ['keyId', 'personId', 'model', 'currency', 'taskId', 'resolution'],
};
export const USAGE: Expected = {
  table: 'usage',
  reads: /./,
  optional: ['amount'],
  free: ['personId', 'model', 'size', 'currency', 'amount'],
  // It is listed under another key.
  passedOver: ['keyId is absurd'],
};
/** DynamoDB adds amounts of up to 38 digits exactly. */
export const ACCOUNTS: Expected = {
  table: 'accounts',
  reads: /./,
  optional: ['monthlyBudget', 'videosAtOnce', 'createsPerMinute', 'videos', COMMITTED],
  free: [COMMITTED],
};
export const RESERVATIONS: Expected = { table: 'reservations', reads: /./, free: ['id', 'account', 'keyId'] };

export const DUE_TASKS: Expected = { table: 'tasks', reads: /^(?:step|sweeps)$/, optional: ['sweeps'] };
export const DUE_DELIVERIES: Expected = {
  table: 'deliveries',
  reads: /^(?:attempts|account)$/,
  free: ['account'],
  // It is due, and cannot be put off: the sweeper tells it as such.
  passedOver: ['delivery is missing', 'delivery has the wrong type'],
};
