import type {
  ChargeRepository,
  Clock,
  Logger,
  MediaStore,
  StepMessage,
  TaskRepository,
} from '../domain/ports.ts';
import { isTerminal } from '../domain/task.ts';
import { failed } from '../domain/transitions.ts';
import { settleTask } from './settle-task.ts';

type Dependencies = {
  readonly tasks: TaskRepository;
  readonly charges: ChargeRepository;
  readonly media: MediaStore;
  readonly logger: Logger;
  readonly now: Clock;
};

/** A message that the worker could not handle, however often it tried: its task fails with a reason. */
export const failDeadLetter = async (dependencies: Dependencies, message: StepMessage): Promise<void> => {
  const { tasks, logger, now } = dependencies;
  const task = await tasks.find(message.taskId);
  logger.error('dead letter', undefined, { taskId: message.taskId, step: message.step });
  if (task === undefined || isTerminal(task) || task.step !== message.step) return;
  const error = { code: 'internal', message: 'The task could not be processed.' } as const;
  const next = failed(task, error, now());
  if (!(await tasks.advance(next))) return;
  const { model } = task.request;
  logger.info('task failed', { taskId: task.id, account: task.account, model, code: error.code });
  await settleTask(dependencies, next);
};
