import { chargeRecord } from '../domain/billing.ts';
import type { ChargeRepository, MediaStore, TaskRepository } from '../domain/ports.ts';
import { type Task, videoKey } from '../domain/task.ts';
import { settled } from '../domain/transitions.ts';

type Settlement = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly media: MediaStore;
};

/** The completing write fixed the charge; the record is written under the task's id, so it exists once. */
export const recordCharge = async ({ charges }: Pick<Settlement, 'charges'>, task: Task): Promise<void> => {
  if (task.charge === undefined || task.completedAt === undefined) return;
  await charges.record(chargeRecord(task, task.charge, task.completedAt));
};

/** What is left when a task has ended: its charge, its inputs, and a file that a failed task must not keep. */
export const settleTask = async (settlement: Settlement, task: Task): Promise<void> => {
  await recordCharge(settlement, task);
  const inputs = task.request.inputs.map(({ key }) => key);
  const strayFile = task.status === 'failed' && task.submittedAt !== undefined ? [videoKey(task)] : [];
  await settlement.media.remove([...inputs, ...strayFile]);
  await settlement.tasks.advance(settled(task));
};
