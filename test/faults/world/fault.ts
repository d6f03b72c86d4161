import type { CallName } from '../../support/in-memory/call.ts';

const FAULT_KINDS = [
  /** The invocation dies; the call is not made. */
  'crash before',
  /** The call takes effect, and the invocation dies. */
  'crash after',
  /** The call takes effect, but its caller is told that it did not answer. */
  'timeout though applied',
  /** The call is refused without effect. */
  'throttled',
  /** A conditional write takes effect, and the client's own repetition of it is then refused. */
  'own write refused',
  /** The queue hands out the message twice, at once or half a minute apart. */
  'delivered twice at once',
  'delivered twice apart',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault at one call; calls are numbered through the whole scenario. */
export type Fault = { readonly call: number; readonly kind: FaultKind };

const CONDITIONAL: readonly CallName[] = [
  'tasks.create',
  'tasks.advance',
  'tasks.remove',
  'accounts.markRefusal',
  'accounts.renew',
  'accounts.release',
  'accounts.postpone',
  'deliveries.save',
  'claims.renew',
  'pool.claimProbe',
  'line.call',
];

const SENDS: readonly CallName[] = ['queue.send', 'queue.sendAll', 'webhooks.send', 'webhooks.sendAll'];

/** Calls that change nothing, whoever makes them. */
const READS: ReadonlySet<CallName> = new Set<CallName>([
  'tasks.find',
  'tasks.due',
  'tasks.inputKeys',
  'position.read',
  'pool.read',
  'line.waiting',
  'files.open',
  'endpoints.find',
  'endpoints.list',
  'deliveries.find',
  'deliveries.due',
  'accounts.find',
  'accounts.due',
  'media.getInput',
  'media.inputsAfter',
  'queue.waiting',
  'ages.read',
  'loads.read',
  'generator.read',
]);
export const isRead = (name: CallName): boolean => READS.has(name);

/** The last call of an invocation. Nothing uses its answer, so it matters only whether the message stays. */
const isAcknowledgement = (name: CallName): boolean => name.endsWith('.acknowledge');

/** The kinds that differ in their effect: a crash before a read is the same as one after it. */
export const kindsFor = (name: CallName): readonly FaultKind[] =>
  FAULT_KINDS.filter((kind) => {
    if (isAcknowledgement(name)) return kind === 'crash before';
    if (kind === 'crash after') return !isRead(name);
    if (kind === 'own write refused') return CONDITIONAL.includes(name);
    if (kind.startsWith('delivered')) return SENDS.includes(name);
    return true;
  });

export const describeFaults = (names: readonly CallName[], faults: readonly Fault[]): string =>
  faults.map(({ call, kind }) => `call ${call} (${names[call] ?? 'never made'}) ${kind}`).join(', then ');
