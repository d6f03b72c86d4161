import { chargeFor, chargeForDelivered } from '../../billing/domain/charges.ts';
import { pixelSize } from '../../catalogue/domain/models.ts';
import { ownedBy, ShareUsedUp, withinShare, withinShareWhenSlow } from '../../platform/domain/fair-share.ts';
import { UpstreamError } from '../../upstream/domain/faults.ts';
import { deliveredSize, findDifferences } from '../domain/delivered-video.ts';
import { videoKey } from '../domain/media.ts';
import { type CheckedVideo, checkedVideo, IncompleteVideo } from '../domain/mp4.ts';
import { paidRetryDelay, REFUSAL_DEADLINE, shareDelay } from '../domain/schedule.ts';
import type { Task, VideoFile } from '../domain/task.ts';
import {
  claimFetch,
  completed,
  fetchFailed,
  fetchPostponed,
  type Generated,
  generated,
} from '../domain/transitions.ts';
import { callNext } from './wait-in-line.ts';
import { failTask, saveAndEnqueue, saveStep, settleTask, type Worker } from './worker.ts';

/** Retries a fetch that failed or was interrupted. */
export const fetchVideo = (worker: Worker, task: Task): Promise<void> =>
  withinShare(worker, ownedBy(task), worker.fetchLeaseMs, {
    work: () => fetchClaimed(worker, task, claimFetch(task, worker.now() + worker.fetchLeaseMs)),
    postpone: () => fetchLater(worker, task),
  });

const fetchLater = (worker: Worker, task: Task): Promise<void> => {
  const now = worker.now();
  const waited = now - (task.generatedAt ?? now);
  return saveAndEnqueue(worker, fetchPostponed(task, now + shareDelay(waited, worker.random())));
};

/** Fetches a video as soon as the upstream reports it as finished. */
export const fetchGenerated = (worker: Worker, task: Task, result: Generated): Promise<void> => {
  const now = worker.now();
  const claimed = generated(task, result, now, now + worker.fetchLeaseMs);
  return fetchClaimed(worker, task, claimed, (video) =>
    withinShareWhenSlow(worker, ownedBy(claimed), worker.fetchLeaseMs, video),
  );
};

type LimitStream = (video: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
const unlimited: LimitStream = (video) => video;

/** Streams the video from the upstream to the store, and completes the task once a whole MP4 is stored. */
const fetchClaimed = async (
  worker: Worker,
  before: Task,
  claimed: Task,
  limit = unlimited,
): Promise<void> => {
  if (!(await saveStep(worker, claimed, before))) return;
  await callNext(worker, before);
  try {
    const file = await storeVideo(worker, claimed, limit);
    await complete(worker, claimed, file);
  } catch (error) {
    if (error instanceof ShareUsedUp) return fetchLater(worker, claimed);
    if (!(error instanceof UpstreamError || error instanceof IncompleteVideo)) throw error;
    await afterFailedFetch(worker, claimed, error);
  }
};

const storeVideo = async (
  { generator, media }: Worker,
  task: Task,
  limit: LimitStream,
): Promise<VideoFile> => {
  if (task.operation === undefined || task.upstream === undefined || task.source === undefined)
    throw new Error(`task ${task.id} has no video to fetch`);
  const key = videoKey(task);
  let checked: CheckedVideo | undefined;
  const video = await generator.open(task.operation, task.source, task.upstream);
  await media.putVideo(
    key,
    checkedVideo(limit(video), (facts) => {
      checked = facts;
    }),
  );
  if (checked === undefined) throw new Error(`the video of task ${task.id} was not read to its end`);
  return { key, ...checked };
};

const complete = async (worker: Worker, task: Task, file: VideoFile): Promise<void> => {
  const now = worker.now();
  const { model, seconds } = task.request;
  // The reserved price was promised, even if the price has changed since.
  const promised = task.reservation?.charge ?? chargeFor(model, seconds, worker.prices);
  const charge = chargeForDelivered(promised, file.seconds);
  const next = completed(task, { file, now, charge, expiresAt: now + worker.videoRetentionMs });
  if (!(await saveStep(worker, next))) return;
  worker.meter.ended();
  logDifferences(worker, task, file);
  worker.logger.info('task completed', {
    taskId: task.id,
    account: task.account,
    model,
    seconds: charge.seconds,
    bytes: file.bytes,
    generationSeconds: (now - (task.submittedAt ?? now)) / 1000,
    completionSeconds: (now - (task.generatedAt ?? now)) / 1000,
  });
  await settleTask(worker, next);
  await discardSource(worker, task);
  await worker.pool.saveCounts();
};

/** The video is delivered nevertheless: the upstream has made it, and it may be what the client wanted. */
const logDifferences = ({ logger }: Worker, { id, request, upstream }: Task, file: VideoFile): void => {
  const differences = findDifferences(request, file) ?? [];
  if (differences.length === 0) return;
  logger.info('video differs from request', {
    taskId: id,
    upstream: upstream?.name ?? '',
    requestedSize: pixelSize(request.resolution, request.aspectRatio),
    deliveredSize: deliveredSize(file),
    requestedSeconds: request.seconds,
    deliveredSeconds: file.seconds,
  });
};

/** The video is stored and charged, so a copy that remains at the upstream is only logged. */
const discardSource = async ({ generator, logger }: Worker, task: Task): Promise<void> => {
  if (task.operation === undefined || task.source === undefined || task.upstream === undefined) return;
  try {
    await generator.discard?.(task.operation, task.source, task.upstream);
  } catch (error) {
    logger.error('upstream copy not deleted', error, { taskId: task.id });
  }
};

type FetchError = UpstreamError | IncompleteVideo;

/** A missing file, or one that is not a video, rarely recovers; other faults are temporary. */
const isRefusal = (error: FetchError): boolean => {
  if (error instanceof IncompleteVideo) return !error.truncated;
  return error.rule.fetch === 'refused' || error.httpStatus === 403 || error.httpStatus === 404;
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
  const retryAt = now + paidRetryDelay(task.attempts, worker.random(), asked);
  return saveAndEnqueue(worker, fetchFailed(task, retryAt, refusedSince));
};
