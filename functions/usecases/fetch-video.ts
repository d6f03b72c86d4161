import { chargeFor } from '../domain/billing.ts';
import { NotAWholeVideo, wholeVideo } from '../domain/mp4.ts';
import { MAX_FETCH_ATTEMPTS, retryDelay } from '../domain/schedule.ts';
import { type Task, videoKey } from '../domain/task.ts';
import { claimFetch, completed, tryAgain } from '../domain/task-moves.ts';
import { UpstreamError } from '../domain/upstream-error.ts';
import { settleTask } from './settle-task.ts';
import { failTask, moveOn, moveOnLater, type Worker } from './worker.ts';

/** Moves the video from the upstream to the store, and completes the task only when it is there and whole. */
export const fetchVideo = async (worker: Worker, task: Task): Promise<void> => {
  const claimed = claimFetch(task, worker.now() + worker.fetchClaim);
  if (!(await moveOn(worker, claimed))) return;
  try {
    const file = await storeVideo(worker, claimed);
    await complete(worker, claimed, file);
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof NotAWholeVideo)) throw error;
    await afterFailedFetch(worker, claimed, error);
  }
};

const storeVideo = async ({ generator, media }: Worker, task: Task): Promise<NonNullable<Task['file']>> => {
  if (task.operation === undefined || task.source === undefined)
    throw new Error(`task ${task.id} has no video to fetch`);
  const key = videoKey(task.id);
  let bytes = 0;
  const video = await generator.open(task.operation, task.source);
  await media.putVideo(
    key,
    wholeVideo(video, (length) => {
      bytes = length;
    }),
  );
  return { key, bytes };
};

const complete = async (worker: Worker, task: Task, file: NonNullable<Task['file']>): Promise<void> => {
  const now = worker.now();
  const { model, seconds } = task.request;
  const next = completed(task, {
    file,
    now,
    charge: chargeFor(model, seconds, worker.prices),
    expiresAt: now + worker.videoRetention,
  });
  if (!(await moveOn(worker, next))) return;
  worker.journal.note('task completed', {
    taskId: task.id,
    account: task.account,
    model,
    seconds,
    bytes: file.bytes,
    generationSeconds: (now - (task.submittedAt ?? now)) / 1000,
  });
  await settleTask(worker, next);
};

const afterFailedFetch = async (
  worker: Worker,
  task: Task,
  error: UpstreamError | NotAWholeVideo,
): Promise<void> => {
  worker.journal.note('fetch failed', {
    taskId: task.id,
    attempt: task.attempts + 1,
    fault: error instanceof UpstreamError ? error.fault : error.name,
  });
  if (task.attempts + 1 >= MAX_FETCH_ATTEMPTS)
    return failTask(worker, task, {
      code: 'upstream_unavailable',
      message: 'The generated video could not be fetched from the generator.',
    });
  const asked = error instanceof UpstreamError ? error.retryAfterSeconds : undefined;
  return moveOnLater(
    worker,
    tryAgain(task, 'fetch', worker.now() + retryDelay(task.attempts, worker.random(), asked)),
  );
};
