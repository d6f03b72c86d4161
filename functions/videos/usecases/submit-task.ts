import { isFileKey, removedFileKey } from '../../files/domain/file-keys.ts';
import { ownedBy, withinShare } from '../../platform/domain/fair-share.ts';
import { toTaskError, UpstreamError } from '../../upstream/domain/upstream.ts';
import { type LoadedInput, MissingInput } from '../domain/media.ts';
import { MAX_OPEN_SUBMITS, retryDelay, SUBMIT_CLAIM, shareDelay } from '../domain/schedule.ts';
import type { Task, TaskError } from '../domain/task.ts';
import {
  claimSubmit,
  submitPaused,
  submitPostponed,
  submitRefused,
  submitted,
  submitUnanswered,
} from '../domain/transitions.ts';
import { checkLeaseEnd, startChecks } from './check-operation.ts';
import { failTask, saveAndEnqueue, saveStep, type Worker } from './worker.ts';

const MAX_WRITE_TRIES = 3;

const NO_ANSWER: TaskError = {
  code: 'upstream_unavailable',
  message: 'The generator did not answer; it may have received the task twice.',
};

const NO_INPUT: TaskError = { code: 'internal', message: 'An input image of the task was not found.' };

/** A file that was deleted or expired after the task was accepted is kept under another key, and left empty here. */
const loadInput = async ({ media }: Worker, key: string): Promise<Uint8Array> => {
  if (!isFileKey(key)) return media.getInput(key);
  try {
    const bytes = await media.getInput(key);
    if (bytes.length > 0) return bytes;
  } catch (error) {
    if (!(error instanceof MissingInput)) throw error;
  }
  return media.getInput(removedFileKey(key));
};

const loadInputs = (worker: Worker, task: Task): Promise<LoadedInput[]> =>
  Promise.all(
    task.request.inputs.map(async ({ role, key, mimeType }) => ({
      role,
      mimeType,
      bytes: await loadInput(worker, key),
    })),
  );

/** The only call that costs money when it is repeated, so the intent is recorded first. */
export const submitTask = async (worker: Worker, task: Task): Promise<void> => {
  if (task.openSubmits >= MAX_OPEN_SUBMITS) return failTask(worker, task, NO_ANSWER);
  const now = worker.now();
  const pause = worker.pauses.remaining(task.request.model);
  if (pause > 0) {
    // Spreads the tasks that wait for the same pause.
    const spreadSeconds = (pause / 1000) * (1 + worker.random() / 4);
    const delay = retryDelay(task.attempts, worker.random(), spreadSeconds);
    return saveAndEnqueue(worker, submitPaused(task, now + delay));
  }
  const retryAt = now + shareDelay(now - task.createdAt, worker.random());
  await withinShare(worker, ownedBy(task), SUBMIT_CLAIM, {
    work: () => loadAndSubmit(worker, task),
    postpone: () => saveAndEnqueue(worker, submitPostponed(task, retryAt)),
  });
};

const loadAndSubmit = async (worker: Worker, task: Task): Promise<void> => {
  try {
    const inputs = await loadInputs(worker, task);
    await claimAndSubmit(worker, task, inputs);
  } catch (error) {
    if (!(error instanceof MissingInput)) throw error;
    worker.logger.error('input missing', error, { taskId: task.id });
    await failTask(worker, task, NO_INPUT);
  }
};

const claimAndSubmit = async (worker: Worker, task: Task, inputs: readonly LoadedInput[]): Promise<void> => {
  const claimed = claimSubmit(task, worker.now() + SUBMIT_CLAIM);
  if (!(await saveStep(worker, claimed))) return;
  try {
    const operation = await worker.generator.submit(task.request, inputs);
    const now = worker.now();
    worker.pauses.note(task.request.model);
    worker.logger.info('task submitted', {
      taskId: task.id,
      account: task.account,
      queueSeconds: (now - task.createdAt) / 1000,
    });
    await saveSubmitted(worker, submitted(claimed, operation, now, checkLeaseEnd(now)));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    await afterFailedSubmit(worker, claimed, error);
  }
};

/** A lost operation costs a second generation, so this write is retried. */
const saveSubmitted = async (worker: Worker, next: Task): Promise<void> => {
  for (let tries = 1; ; tries += 1)
    try {
      await startChecks(worker, next);
      return;
    } catch (error) {
      if (tries === MAX_WRITE_TRIES) throw error;
      worker.logger.error('submit not saved', error, { taskId: next.id, tries });
    }
};

const afterFailedSubmit = async (worker: Worker, task: Task, error: UpstreamError): Promise<void> => {
  worker.pauses.note(task.request.model, error);
  worker.logger.info('submit failed', { taskId: task.id, fault: error.fault, httpStatus: error.httpStatus });
  const retryAt = worker.now() + retryDelay(task.attempts, worker.random(), error.retryAfterSeconds);
  switch (error.row.submit) {
    case 'final':
      return failTask(worker, task, toTaskError(worker.logger, error));
    case 'refused':
      return saveAndEnqueue(worker, submitRefused(task, retryAt));
    case 'unanswered':
      if (task.openSubmits >= MAX_OPEN_SUBMITS) return failTask(worker, task, NO_ANSWER);
      return saveAndEnqueue(worker, submitUnanswered(task, retryAt));
  }
};
