import { videoKey } from '../../../functions/videos/domain/media.ts';
import { isDeleted, type Task, type TaskStatus } from '../../../functions/videos/domain/task.ts';
import { type Counted, wrongMoney } from './invariants.ts';
import type { Stores } from './ports.ts';

const RANK: Record<TaskStatus, number> = { queued: 0, in_progress: 1, completed: 2, failed: 2 };

/** A client that asks for every task after everything that happens, and notes what must never be seen. */
export class Observer {
  readonly violations = new Set<string>();
  readonly #stores: Stores;
  readonly #seen = new Map<string, TaskStatus>();
  /** Each state of a task is an object that never changes, and is looked at once; a completed one has its video's key. */
  readonly #states = new Map<Task, string | undefined>();
  readonly #settled = new Set<string>();
  /** Their names are hashes, which take their time. */
  readonly #videoKeys = new Map<string, string>();
  readonly endedAt = new Map<string, number>();
  lastSettled = 0;
  #lookedAt = 0;
  #lookedAtMoney = 0;
  readonly #counted: Counted;

  constructor(stores: Stores, counted: Counted) {
    this.#stores = stores;
    this.#counted = counted;
  }

  #lookAtMoney(): void {
    const { accounts } = this.#stores;
    if (accounts.changes === this.#lookedAtMoney) return;
    this.#lookedAtMoney = accounts.changes;
    for (const violation of wrongMoney(this.#stores, this.#counted)) this.violations.add(violation);
  }

  readonly look = (): void => {
    const { tasks, media, gate } = this.#stores;
    // Stores change only in calls.
    if (gate.changes === this.#lookedAt) return;
    this.#lookedAt = gate.changes;
    this.#lookAtMoney();
    for (const task of tasks.all()) {
      if (isDeleted(task)) continue;
      if (!this.#states.has(task)) this.#states.set(task, this.#lookAtState(task));
      const key = this.#states.get(task);
      if (key !== undefined && !media.has(key))
        this.violations.add('a task is completed, but its video is not there');
    }
  };

  /** Returns the key of a completed task's video. */
  #lookAtState(task: Task): string | undefined {
    const { media, time } = this.#stores;
    // An id that a key gave comes again when its task was deleted.
    const life = `${task.id} ${task.createdAt}`;
    const before = this.#seen.get(life) ?? 'queued';
    const ended = RANK[before] === 2;
    if (RANK[task.status] < RANK[before] || (ended && task.status !== before))
      this.violations.add(`a ${before} task became ${task.status}`);
    if (task.work === undefined && !this.#settled.has(life)) {
      this.#settled.add(life);
      this.lastSettled = time.now();
      if (task.request.inputs.some(({ key }) => !media.has(key)))
        this.violations.add('a task is settled, but its inputs are gone');
    }
    if (RANK[task.status] === 2 && !this.endedAt.has(life)) this.endedAt.set(life, time.now());
    this.#seen.set(life, task.status);
    if (task.status !== 'completed') return undefined;
    const key = this.#videoKeys.get(life) ?? videoKey(task);
    this.#videoKeys.set(life, key);
    return key;
  }
}
