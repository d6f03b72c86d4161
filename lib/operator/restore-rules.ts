import { isDeepStrictEqual } from 'node:util';
import type { Attributes } from '../../functions/platform/aws/attributes.ts';
import { NEVER } from '../../functions/platform/domain/retention.ts';
import { fromItem, toItem } from '../../functions/videos/adapters/task-item.ts';
import { isCancelled, isTerminal, type Task } from '../../functions/videos/domain/task.ts';
import { retentionChanged } from '../../functions/videos/domain/transitions.ts';
import type { Change } from './table-copies.ts';

/** What the rules need to know beyond the two versions of an item. */
export type Situation = {
  /** Accounts and ids of items that people deleted or revoked after the moment, according to the audit log. */
  readonly withdrawn: ReadonlySet<string>;
  /** Unfinished tasks that go back to the moment: they are charged when they complete. */
  readonly returned: Set<string>;
  readonly findTask: (id: string) => Promise<Attributes | undefined>;
  readonly now: number;
};

/** Decides how an item that has changed since the moment should be; undefined if it should not exist. */
export type Rule = (
  change: Change,
  situation: Situation,
) => Attributes | undefined | Promise<Attributes | undefined>;

export const withdrawnName = (account: string, id: string): string => `${account} ${id}`;

/** A deletion by its owner is final, and a revoked key or link stays revoked. */
const isWithdrawn = ({ live, earlier }: Change, { withdrawn }: Situation): boolean =>
  [live, earlier].some((item) => withdrawn.has(withdrawnName(item?.account?.S ?? '', item?.id?.S ?? '')));

const exact: Rule = (change, situation) => (isWithdrawn(change, situation) ? change.live : change.earlier);

/** For records that are never changed: only missing ones come back. */
const append: Rule = ({ live, earlier }) => live ?? earlier;

/**
 * An item that was kept or released since has another tag on its object than at the moment. It returns with the work of
 * changing the tag; a second run of the restore finds it so.
 */
const withRetention = (
  { live, earlier }: Change,
  isKept: (item: Attributes | undefined) => boolean,
  unsettled: () => Attributes,
): Attributes | undefined => {
  if (live === undefined || earlier === undefined) return earlier;
  const wanted = unsettled();
  return isKept(live) !== isKept(earlier) || isDeepStrictEqual(live, wanted) ? wanted : earlier;
};

const isKeptFile = (item: Attributes | undefined): boolean => Number(item?.expiresAt?.N) === NEVER;

/** The bytes of a deleted file are gone; it returns as expired, so that the clean-up corrects the account's total. */
const files: Rule = (change, situation) => {
  const { live, earlier } = change;
  if (!isWithdrawn(change, situation))
    return withRetention(change, isKeptFile, () => ({
      ...earlier,
      unsettled: { BOOL: true },
      due_at: { N: earlier?.createdAt?.N ?? '0' },
    }));
  if (live !== undefined || earlier === undefined) return live;
  const past = { N: String(situation.now - 1) };
  return { ...earlier, expiresAt: past, ...(earlier.due_shard !== undefined && { due_at: past }) };
};

const readTask = (item: Attributes | undefined): Task | undefined => {
  try {
    return item === undefined ? undefined : fromItem(item);
  } catch {
    return undefined;
  }
};

const isKeptTask = (item: Attributes | undefined): boolean => readTask(item)?.expiresAt === NEVER;

const isSameTask = (one: Task, other: Task): boolean =>
  one.id === other.id && one.createdAt === other.createdAt && one.fingerprint === other.fingerprint;

/**
 * A task that an upstream may have received since keeps its later state: a second submit would cost a second generation,
 * and its video, charge and event may exist. A cancelled task stays cancelled.
 */
const keepsLaterState = (earlier: Task, live: Task): boolean =>
  !isTerminal(earlier) &&
  isSameTask(earlier, live) &&
  live.step > earlier.step &&
  (live.upstream !== undefined || live.submittedAt !== undefined || isCancelled(live));

const tasks: Rule = (change, situation) => {
  const { live, earlier } = change;
  // Other items of the table describe the queue of the last minutes.
  if (live?.task === undefined && live?.removed_task === undefined && earlier?.task === undefined)
    return live;
  if (isWithdrawn(change, situation)) return live;
  const [before, after] = [readTask(earlier), readTask(live)];
  if (before !== undefined && after !== undefined && keepsLaterState(before, after)) return live;
  if (before === undefined) return earlier;
  if (!isTerminal(before)) situation.returned.add(before.id);
  const { file, expiresAt, createdAt } = before;
  if (!isTerminal(before) || file === undefined || expiresAt === undefined) return earlier;
  return withRetention(change, isKeptTask, () => toItem(retentionChanged(before, expiresAt, createdAt)));
};

/** Charges are kept, since they were delivered, unless their task will be charged once more. */
const charges: Rule = async ({ live, earlier }, { returned, findTask }) => {
  if (earlier !== undefined || live === undefined) return earlier;
  const taskId = live.taskId?.S;
  if (taskId === undefined) return live;
  const task = returned.has(taskId) ? undefined : readTask(await findTask(taskId));
  const isOpen = returned.has(taskId) || (task !== undefined && !isTerminal(task));
  return isOpen ? undefined : live;
};

/**
 * The tables in the order of the restore, by the output with their name. Tasks decide about charges; counters, sums and
 * reservations are counted anew from both. Sessions and the state of upstreams are short-lived and stay as they are.
 */
export const RULES: readonly (readonly [output: string, rule: Rule])[] = [
  ['AuditTableName', append],
  ['TaskTableName', tasks],
  ['ChargeTableName', charges],
  ['KeyTableName', exact],
  ['MemberTableName', exact],
  ['WebhookEndpointTableName', exact],
  ['WebhookDeliveryTableName', append],
  ['ShareTableName', exact],
  ['FileTableName', files],
];

/** Restored and then counted anew. */
export const COUNTED = ['AccountTableName', 'UsageTableName'] as const;
