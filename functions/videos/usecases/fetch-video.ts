import { chargeFor } from '../../accounts/domain/billing.ts';
import { ownedBy, ShareUsedUp, withinShare, withinShareWhenSlow } from '../../platform/domain/fair-share.ts';
import { UpstreamError } from '../../upstream/domain/upstream-error.ts';
import { NotAWholeVideo, wholeVideo } from '../domain/mp4.ts';
import { REFUSAL_DEADLINE, retryDelay, shareDelay } from '../domain/schedule.ts';
import { type Task, type VideoSource, videoKey } from '../domain/task.ts';
import { claimFetch, completed, fetchFailed, fetchPostponed, generated } from '../domain/transitions.ts';
import { failTask, settleTask } from './end-task.ts';
import { saveAndEnqueue, saveStep, type Worker } from './worker.ts';

/** Fetches a video that was tried before, or whose fetch broke off without a word. */
export const fetchVideo = (worker: Worker, task: Task): Promise<void> =>
  withinShare(worker, ownedBy(task), worker.fetchLeaseMs, {
    work: () => fetchClaimed(worker, claimFetch(task, worker.now() + worker.fetchLeaseMs)),
    postpone: () => fetchLater(worker, task),
  });

const fetchLater = (worker: Worker, task: Task): Promise<void> => {
  const now = worker.now();
  const waited = now - (task.generatedAt ?? now);
  return saveAndEnqueue(worker, fetchPostponed(task, now + shareDelay(waited, worker.random())));
};

/** Fetches a video as soon as the upstream says that it is there. */
export const fetchGenerated = (worker: Worker, task: Task, source: VideoSource): Promise<void> => {
  const now = worker.now();
  const claimed = generated(task, source, now, now + worker.fetchLeaseMs);
  return fetchClaimed(worker, claimed, (video) =>
    withinShareWhenSlow(worker, ownedBy(claimed), worker.fetchLeaseMs, video),
  );
};

type Stream = AsyncIterable<Uint8Array>;
const asItIs = (video: Stream): Stream => video;

/** Moves the video from the upstream to the store, and completes the task only when it is there and whole. */
const fetchClaimed = async (worker: Worker, claimed: Task, shared = asItIs): Promise<void> => {
  if (!(await saveStep(worker, claimed))) return;
  try {
    const file = await storeVideo(worker, claimed, shared);
    await complete(worker, claimed, file);
  } catch (error) {
    if (error instanceof ShareUsedUp) return fetchLater(worker, claimed);
    if (!(error instanceof UpstreamError || error instanceof NotAWholeVideo)) throw error;
    await afterFailedFetch(worker, claimed, error);
  }
};

const storeVideo = async (
  { generator, media }: Worker,
  task: Task,
  shared: typeof asItIs,
): Promise<NonNullable<Task['file']>> => {
  if (task.operation === undefined || task.source === undefined)
    throw new Error(`task ${task.id} has no video to fetch`);
  const key = videoKey(task);
  let bytes = 0;
  const video = await generator.open(task.operation, task.source);
  await media.putVideo(
    key,
    wholeVideo(shared(video), (length) => {
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
    // What was reserved is what was promised, whatever the price is by now.
    charge: task.reservation?.charge ?? chargeFor(model, seconds, worker.prices),
    expiresAt: now + worker.videoRetentionMs,
  });
  if (!(await saveStep(worker, next))) return;
  worker.logger.info('task completed', {
    taskId: task.id,
    account: task.account,
    model,
    seconds,
    bytes: file.bytes,
    generationSeconds: (now - (task.submittedAt ?? now)) / 1000,
  });
  await settleTask(worker, next);
};

type FetchError = UpstreamError | NotAWholeVideo;

/** What is not found, or is no video, will seldom come; every other fault passes. */
const isRefusal = (error: FetchError): boolean => {
  if (error instanceof NotAWholeVideo) return !error.truncated;
  return error.row.fetch === 'refused' || error.httpStatus === 403 || error.httpStatus === 404;
};

const afterFailedFetch = async (worker: Worker, task: Task, error: FetchError): Promise<void> => {
  const now = worker.now();
  const refusedSince = isRefusal(error) ? (task.refusedSince ?? now) : undefined;
  worker.logger.info('fetch failed', {
    taskId: task.id,
    attempt: task.attempts + 1,
    fault: error instanceof UpstreamError ? error.fault : error.name,
  });
  if (refusedSince !== undefined && now - refusedSince >= REFUSAL_DEADLINE)
    return failTask(worker, task, {
      code: 'upstream_unavailable',
      message: 'The generated video could not be fetched from the generator.',
    });
  const asked = error instanceof UpstreamError ? error.retryAfterSeconds : undefined;
  const retryAt = now + retryDelay(task.attempts, worker.random(), asked);
  return saveAndEnqueue(worker, fetchFailed(task, retryAt, refusedSince));
};
