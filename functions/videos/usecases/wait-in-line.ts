import { canServe } from '../../upstream/domain/capabilities.ts';
import type { LineState } from '../../upstream/domain/pool.ts';
import type { VideoError } from '../../upstream/domain/video-generator.ts';
import {
  heldPlaces,
  type LineReason,
  type Task,
  type WaitingLine,
  type WaitingTask,
} from '../domain/task.ts';
import { submitInLine } from '../domain/transitions.ts';
import { isTooLateToStart } from '../domain/worker-capacity.ts';
import { failTask, saveStep, type Worker } from './worker.ts';

/**
 * Tasks wait in line while the upstreams of their model are at their limits, or while the workers have no time for new
 * tasks. They have no message; the sweeper calls as many of them each minute as can start, in the order of their tickets.
 */

/** The sweeper runs every minute; a second missed run lets new tasks pass. */
export const LINE_HOLD = 150_000;

/** Called tasks are due this long after their message, before the sweeper sends another one. */
const CALLED_GRACE = 60_000;

/** How old the load may be that keeps a new task from starting. */
const LOAD_AGE = 5000;

const isHeldFor = (until: number, now: number): boolean => until >= now + LINE_HOLD / 2;

/** A task that was called too early keeps its ticket. */
export const joinLine = async (worker: Worker, task: Task, line: LineState | undefined): Promise<void> => {
  const { model } = task.request;
  const now = worker.now();
  if (line === undefined || !isHeldFor(line.until, now)) await worker.line.hold(model, now + LINE_HOLD);
  await takeTicket(worker, task, line?.served ?? 0, 'upstream');
};

const takeTicket = async (
  worker: Worker,
  task: Task,
  served: number,
  waitsFor: LineReason,
): Promise<void> => {
  const { id: taskId, account, request } = task;
  const { model } = request;
  const ticket = task.ticket ?? (await worker.line.ticket(account, model, served));
  if (await saveStep(worker, submitInLine(task, ticket, waitsFor), task))
    worker.logger.info('task waits in line', { taskId, account, model });
};

/** True if the workers have no time for the task: others wait in line, or its own message has waited too long. */
export const joinLineIfBusy = async (worker: Worker, task: Task, waitedMs: number): Promise<boolean> => {
  const now = worker.now();
  const { heldUntil, served } = await worker.load.current(LOAD_AGE);
  if (heldUntil <= now && !isTooLateToStart(waitedMs)) return false;
  if (!isHeldFor(heldUntil, now)) await worker.load.hold(now + LINE_HOLD);
  await takeTicket(worker, task, served.get(task.request.model) ?? 0, 'workers');
  return true;
};

/** Calls the next task when a video has left its place, which would otherwise be empty until the sweeper runs. */
export const callNext = async (worker: Worker, before: Task): Promise<void> => {
  if (heldPlaces(before).size === 0) return;
  const { pool, line, load, queue, now, logger } = worker;
  const { model } = before.request;
  try {
    // The sweeper has planned all the time of the workers.
    if ((await load.current(LOAD_AGE)).heldUntil > now()) return;
    const free = await pool.freeForLine(model);
    if (free.length === 0) return;
    for await (const task of line.waiting(model)) {
      if (!free.some((one) => canServe(one, model, task.needs))) continue;
      const called = await callTask(worker, task, now());
      if (called === undefined) continue;
      await queue.send(called, 0);
      return;
    }
  } catch (error) {
    // The sweeper calls it.
    logger.error('line not served', error, { model });
  }
};

/** Fails a task that may have had a place at an upstream. */
export const failAndCallNext = async (worker: Worker, task: Task, error: VideoError): Promise<void> => {
  if (task.submittedAt !== undefined) worker.meter.ended();
  await failTask(worker, task, error);
  await callNext(worker, task);
};

/** Takes the task out of the line and returns its message; undefined if the task has moved on. */
export const callTask = async (
  { line }: { readonly line: WaitingLine },
  task: WaitingTask,
  start: number,
) => {
  const { id: taskId, step } = task;
  const account = await line.call(task, start + CALLED_GRACE);
  return account === undefined ? undefined : { taskId, account, step };
};
