import type { FileReader } from '../../../functions/files/domain/files.ts';
import type { LogFields } from '../../../functions/platform/domain/log-events.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import type { CleanUpPosition } from '../../../functions/videos/domain/media.ts';
import type { StepMessage } from '../../../functions/videos/domain/step-queue.ts';
import type {
  DueTasks,
  Task,
  TaskDeletions,
  TaskInputs,
  TaskRepository,
} from '../../../functions/videos/domain/task.ts';
import type { Worker } from '../../../functions/videos/usecases/worker.ts';
import type { WebhookEvent } from '../../../functions/webhooks/domain/webhooks.ts';
import { accountsPort, MemoryAccounts } from '../in-memory/accounts.ts';
import { MemoryCharges } from '../in-memory/charges.ts';
import { MemoryMedia, mediaPort, positionPort } from '../in-memory/media.ts';
import { IDLE_WORKERS } from '../in-memory/queue-ages.ts';
import { MemorySlowSteps, slowStepsPort } from '../in-memory/slow-steps.ts';
import { deletionsPort, MemoryTasks, tasksPort } from '../in-memory/tasks.ts';
import { onlyPool } from '../in-memory/upstreams.ts';

export const NOW = Date.UTC(2026, 0, 1);

/** A worker on empty stores, which keeps every message it sends, every call upstream and every logged event. */
export const buildWorker = (...tasks: readonly Task[]) => {
  const accounts = new MemoryAccounts();
  const slowSteps = new MemorySlowSteps();
  const stores = {
    accounts,
    tasks: new MemoryTasks(),
    charges: new MemoryCharges(accounts),
    media: new MemoryMedia(),
    slowSteps,
  };
  for (const task of tasks) stores.tasks.create(task);
  const sent: StepMessage[] = [];
  const told: WebhookEvent[] = [];
  const asked: string[] = [];
  const counted: string[] = [];
  const errors: string[] = [];
  const failures: (readonly [event: string, fields: LogFields])[] = [];
  const logged: (readonly [event: string, fields: LogFields])[] = [];
  const refuse = (call: string) => {
    asked.push(call);
    return Promise.reject(new Error(`${call} was not expected`));
  };
  const media = mediaPort(stores.media, () => NOW);
  const worker: Worker & {
    readonly tasks: TaskRepository & DueTasks & TaskInputs;
    readonly position: CleanUpPosition;
    readonly deletions: TaskDeletions;
    readonly files: FileReader;
    readonly upstreams: readonly Upstream[];
  } = {
    tasks: tasksPort(stores.tasks),
    deletions: deletionsPort(stores.tasks),
    charges: { record: async (...given) => stores.charges.record(...given) },
    accounts: accountsPort(accounts),
    slowSteps: slowStepsPort(slowSteps),
    queue: {
      send: async (message) => void sent.push(message),
      sendAll: async (messages) => {
        sent.push(...messages);
        return [];
      },
    },
    webhooks: {
      send: async (message) => void (message.kind === 'event' && told.push(message.event)),
    },
    media,
    position: positionPort(stores.media),
    files: media,
    generator: {
      submit: () => refuse('submit'),
      check: () => refuse('check'),
      open: () => refuse('open'),
    },
    ...onlyPool(() => NOW),
    ...IDLE_WORKERS,
    meter: { started: () => void counted.push('started'), ended: () => void counted.push('ended') },
    logger: {
      info: (event, fields) => void logged.push([event, fields]),
      error: (event, _, fields) => {
        errors.push(event);
        failures.push([event, fields]);
      },
    },
    now: () => NOW,
    random: () => 0,
    prices: { currency: 'USD', videoSecond: {}, image: {} },
    fetchLeaseMs: 120_000,
    videoRetentionMs: 3_600_000,
  };
  return { worker, stores, sent, told, asked, counted, errors, failures, logged };
};
