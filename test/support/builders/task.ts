import { newTask, type Task, type TaskFilter } from '../../../functions/videos/domain/task.ts';
import { TEXT_REQUEST } from './requests.ts';

/** A filter that shows every task. */
export const EVERY_TASK: TaskFilter = {
  status: undefined,
  model: undefined,
  keyId: undefined,
  personId: undefined,
  createdFrom: undefined,
  createdBefore: undefined,
};

/** A task that was just created, with what a test needs to be different. */
export const aTask = (change: Partial<Task> = {}): Task => ({
  ...newTask({
    id: 'task_01k0000000aaaaaaaaaaaaaaaa',
    account: 'account',
    keyId: 'key',
    createdAt: 1000,
    fingerprint: 'fingerprint',
    request: { ...TEXT_REQUEST, inputs: [] },
  }),
  step: 3,
  attempts: 2,
  openSubmits: 1,
  // An accepted task was accepted by some upstream.
  upstream: change.operation === undefined ? undefined : { name: 'default', hasPlace: false },
  ...change,
});
