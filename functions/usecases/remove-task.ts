import type { ChargeRepository, MediaStore, TaskRepository } from '../domain/ports.ts';
import { type Task, videoKey } from '../domain/task.ts';
import { recordCharge } from './settle-task.ts';

type Removal = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly media: MediaStore;
};

/** Deleted means gone: the file, the inputs and the task. Its charge stays. */
export const removeTask = async ({ tasks, charges, media }: Removal, task: Task): Promise<void> => {
  await recordCharge({ charges }, task);
  await media.remove([videoKey(task), ...task.request.inputs.map(({ key }) => key)]);
  await tasks.remove(task);
};
