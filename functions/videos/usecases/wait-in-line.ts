import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { VIDEO_MODELS, type VideoModel } from '../../platform/domain/models.ts';
import type { LineState, PoolState } from '../../upstream/domain/pool.ts';
import { comingStarts, NEW_STATE, type Upstream } from '../../upstream/domain/upstreams.ts';
import type { StepQueue } from '../domain/step-queue.ts';
import type { Task, TaskError, WaitingLine, WaitingTask } from '../domain/task.ts';
import { submitInLine } from '../domain/transitions.ts';
import { failTask, saveStep, type Worker } from './worker.ts';

/**
 * Tasks wait in line while the upstreams of their model are at their limits. They have no message; the sweeper calls as
 * many of them each minute as the upstreams can take, in the order of their tickets.
 */

/** The sweeper runs every minute; a second missed run lets new tasks pass. */
const LINE_HOLD = 150_000;

/** Called tasks are due this long after their message, before the sweeper sends another one. */
const CALLED_GRACE = 60_000;

/** From the start that a task was called for until it has claimed it: messages are delayed by whole seconds. */
const CALLED_MARGIN = 5_000;

/** A task that was called too early keeps its ticket. */
export const joinLine = async (worker: Worker, task: Task, line: LineState | undefined): Promise<void> => {
  const { id: taskId, account, request } = task;
  const { model } = request;
  const now = worker.now();
  const ticket = task.ticket ?? (await worker.line.ticket(account, model, line?.served ?? 0));
  if (line === undefined || line.until < now + LINE_HOLD / 2) await worker.line.hold(model, now + LINE_HOLD);
  if (await saveStep(worker, submitInLine(task, ticket), task))
    worker.logger.info('task waits in line', { taskId, account, model });
};

/** Calls the next task in line when a video has left its place, instead of leaving the place empty until the sweeper runs. */
export const callNext = async (worker: Worker, model: VideoModel): Promise<void> => {
  const { pool, line, now, logger } = worker;
  try {
    pool.forget();
    const choice = await pool.choose({ model, tried: new Set(), kind: 'video', isServed: true });
    if (choice.kind !== 'chosen' || !choice.hasLine) return;
    // Another worker may have called the first one for its own place.
    for await (const task of line.waiting(model)) if (await callTask(worker, task, now())) return;
  } catch (error) {
    // The sweeper calls it.
    logger.error('line not served', error, { model });
  }
};

/** Fails a task that may have had a place at an upstream. */
export const failAndCallNext = async (worker: Worker, task: Task, error: TaskError): Promise<void> => {
  await failTask(worker, task, error);
  if (task.upstream?.hasPlace === true) await callNext(worker, task.request.model);
};

type Dependencies = {
  readonly line: WaitingLine;
  readonly upstreams: readonly Upstream[];
  readonly readState: () => Promise<PoolState>;
  readonly queue: Pick<StepQueue, 'send'>;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run stops; the next run calls the rest. */
  readonly stopAt: number;
};

/** Calls the tasks that the upstreams can take within the next minute. */
export const serveLines = async (dependencies: Dependencies): Promise<void> => {
  const state = await dependencies.readState();
  for (const model of VIDEO_MODELS) {
    const line = state.lines.get(model);
    if (line !== undefined) await serveLine(dependencies, model, line, state);
  }
};

const serveLine = async (
  dependencies: Dependencies,
  model: VideoModel,
  line: LineState,
  state: PoolState,
): Promise<void> => {
  const { upstreams, logger, now, stopAt } = dependencies;
  const starts = upstreams
    .flatMap((upstream) =>
      comingStarts(upstream, state.upstreams.get(upstream.name) ?? NEW_STATE, model, now()),
    )
    .toSorted((one, other) => one - other);
  let [position, served, lastStart, isLeft] = [0, line.served, 0, false];
  for await (const task of dependencies.line.waiting(model)) {
    const start = starts[position];
    if (now() >= stopAt) {
      isLeft = true;
      break;
    }
    if (start !== undefined) {
      if (!(await callTask(dependencies, task, start))) continue;
      position += 1;
      served = Math.max(served, task.ticket);
      lastStart = start;
    } else if (task.deadline <= now()) await callTask(dependencies, task, now());
    else isLeft = true;
  }
  // New tasks take no start for which a task was called.
  const calledUntil = position === 0 ? undefined : lastStart + CALLED_MARGIN;
  await dependencies.line.advance(model, served, isLeft ? now() + LINE_HOLD : calledUntil);
  logger.info('line served', { model, served: position, left: isLeft });
};

/** Calls all tasks, because the limits have left the settings; true if there was none. */
export const emptyLines = async (
  dependencies: Pick<Dependencies, 'line' | 'queue' | 'logger' | 'now' | 'stopAt'>,
): Promise<boolean> => {
  const { line, now, stopAt } = dependencies;
  let areEmpty = true;
  for (const model of VIDEO_MODELS)
    for await (const task of line.waiting(model)) {
      areEmpty = false;
      if (now() >= stopAt) break;
      await callTask(dependencies, task, now());
    }
  return areEmpty;
};

/** False if the task is no longer in line. */
const callTask = async (
  { line, queue, logger, now }: Pick<Dependencies, 'line' | 'queue' | 'logger' | 'now'>,
  task: WaitingTask,
  start: number,
): Promise<boolean> => {
  const { id: taskId, step } = task;
  try {
    const account = await line.call(task, start + CALLED_GRACE);
    if (account === undefined) return false;
    await queue.send({ taskId, account, step }, Math.max(0, start - now()));
  } catch (error) {
    // It is still in line, or the sweeper sends its message.
    logger.error('line not served', error, { taskId });
  }
  return true;
};
