import {
  type KeptStorages,
  requireStorage,
  type StorageChange,
  storageLimit,
} from '../../billing/domain/kept-storage.ts';
import { type Action, auditEntry } from '../../identity/domain/audit.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { Clock } from '../../platform/domain/log-events.ts';
import { isKept, NEVER, RETENTION_CLAIM } from '../../platform/domain/retention.ts';
import { isClaimed, isTerminal, type Task, type TaskChanges, type TaskRepository } from '../domain/task.ts';
import { renamed, retentionChanged } from '../domain/transitions.ts';
import { findOwned, requireFile } from './read-videos.ts';
import { retainFile, type Worker } from './worker.ts';

/** A new name (null removes it), and whether the item is kept; undefined leaves it as it is. */
export type ItemChange = { readonly name: string | null | undefined; readonly kept: boolean | undefined };

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly changes: TaskChanges;
  readonly storages: KeptStorages;
  readonly retention: Worker['retention'];
  readonly now: Clock;
  readonly defaultMegabytes: number;
  readonly retentionMs: number;
};

const MAX_TRIES = 5;

/** Renames a video, keeps it or releases it. A released video ends after as long a time as a new one. */
export const updateVideo = async (
  dependencies: Dependencies,
  action: Action,
  id: string,
  change: ItemChange,
): Promise<Task> => {
  const { tasks, changes, now } = dependencies;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const task = await findOwned(tasks, action.account, id);
    const at = now();
    if (isClaimed(task, at) || task.work?.kind === 'settle') break;
    if (change.kept !== undefined) requireFile(task, at, 'keep', 'kept');
    // A change would make the message of the worker's next step stale.
    if (!isTerminal(task))
      throw new DomainError('video_not_ready', `Video ${id} is ${task.status}; change it once it has ended.`);
    if (task.work?.kind === 'retain') {
      await retainFile(dependencies, task);
      continue;
    }
    const { next, storage } = await changed(dependencies, task, change, at);
    if (next === task) return task;
    const entry = auditEntry(action, 'video.updated', id, {
      ...(next.name !== task.name && { name: next.name ?? null }),
      ...(storage !== undefined && { kept: isKept(next) }),
    });
    if (!(await changes.write(next, entry, storage))) continue;
    // If this fails, the sweeper has it repeated after the claim.
    if (next.work?.kind === 'retain') await retainFile(dependencies, next);
    return next;
  }
  throw new DomainError('concurrent_update', `Video ${id} is being changed by another request; try again.`);
};

const changed = async (
  { storages, defaultMegabytes, retentionMs }: Dependencies,
  task: Task,
  { name, kept }: ItemChange,
  at: number,
): Promise<{ readonly next: Task; readonly storage: StorageChange | undefined }> => {
  const isRenamed = name !== undefined && (name ?? undefined) !== task.name;
  const named = isRenamed ? { ...task, name: name ?? undefined } : task;
  if (kept === undefined || kept === isKept(task))
    return { next: isRenamed ? renamed(task, name ?? undefined) : task, storage: undefined };
  const read = await storages.find(task.account);
  const bytes = (kept ? 1 : -1) * (task.file?.bytes ?? 0);
  const limitBytes = kept ? storageLimit(read, defaultMegabytes) : undefined;
  const storage = { account: task.account, bytes, read, limitBytes };
  requireStorage(storage, 'video');
  const expiresAt = kept ? NEVER : at + retentionMs;
  return { next: retentionChanged(named, expiresAt, at + RETENTION_CLAIM), storage };
};
