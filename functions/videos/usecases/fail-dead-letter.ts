import type { StepMessage } from '../../platform/domain/ports.ts';
import { isTerminal } from '../domain/task.ts';
import { failTask } from './end-task.ts';
import type { Worker } from './worker.ts';

type Dependencies = Pick<Worker, 'tasks' | 'charges' | 'accounts' | 'media' | 'webhooks' | 'logger' | 'now'>;

/** A message that the worker could not handle, however often it tried: its task fails with a reason. */
export const failDeadLetter = async (dependencies: Dependencies, message: StepMessage): Promise<void> => {
  const task = await dependencies.tasks.find(message.taskId);
  dependencies.logger.error('dead letter', undefined, { taskId: message.taskId, step: message.step });
  if (task === undefined || isTerminal(task) || task.step !== message.step) return;
  await failTask(dependencies, task, { code: 'internal', message: 'The task could not be processed.' });
};
