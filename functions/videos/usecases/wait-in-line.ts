import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { VIDEO_MODELS, type VideoModel } from '../../platform/domain/models.ts';
import { canServe, type Needs } from '../../upstream/domain/capabilities.ts';
import type { LineState, PoolState } from '../../upstream/domain/pool.ts';
import { comingStarts, isRetired, NEW_STATE } from '../../upstream/domain/upstream-state.ts';
import type { Upstream } from '../../upstream/domain/upstreams.ts';
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

/** Calls the next task when a video has left its place, which would otherwise be empty until the sweeper runs. */
export const callNext = async (worker: Worker, { upstream, request }: Task): Promise<void> => {
  if (upstream?.hasPlace !== true) return;
  const { pool, line, now, logger } = worker;
  const { model } = request;
  try {
    const free = await pool.freeForLine(model);
    if (free.length === 0) return;
    for await (const task of line.waiting(model))
      if (free.some((one) => canServe(one, model, task.needs)) && (await callTask(worker, task, now())))
        return;
  } catch (error) {
    // The sweeper calls it.
    logger.error('line not served', error, { model });
  }
};

/** Fails a task that may have had a place at an upstream. */
export const failAndCallNext = async (worker: Worker, task: Task, error: TaskError): Promise<void> => {
  await failTask(worker, task, error);
  await callNext(worker, task);
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
  const { line, upstreams, logger, now, stopAt } = dependencies;
  const state = await dependencies.readState();
  const starts = sharedStarts(upstreams, state, now());
  const lines = VIDEO_MODELS.flatMap((model) => {
    const known = state.lines.get(model);
    return known === undefined
      ? []
      : [{ model, served: known.served, called: 0, lastStart: 0, isLeft: false }];
  });
  for await (const [turn, task] of inTurn(lines, line)) {
    if (now() >= stopAt) {
      for (const each of lines) each.isLeft = true;
      break;
    }
    const start = starts.next(turn.model, task.needs);
    if (start !== undefined) {
      if (!(await callTask(dependencies, task, start.time))) continue;
      start.take();
      turn.called += 1;
      turn.served = Math.max(turn.served, task.ticket);
      turn.lastStart = start.time;
    } else if (task.deadline <= now() || starts.never(turn.model, task.needs))
      // The worker fails it.
      await callTask(dependencies, task, now());
    else turn.isLeft = true;
  }
  for (const { model, served, called, lastStart, isLeft } of lines) {
    // New tasks take no start for which a task was called.
    const calledUntil = called === 0 ? undefined : lastStart + CALLED_MARGIN;
    await line.advance(model, served, isLeft ? now() + LINE_HOLD : calledUntil);
    logger.info('line served', { model, served: called, left: isLeft });
  }
};

type Start = { readonly time: number; readonly take: () => void };

/** The times at which upstreams can take videos. Lines share them, because limits are for all models together. */
const sharedStarts = (upstreams: readonly Upstream[], state: PoolState, now: number) => {
  const sources = upstreams.map((upstream) => {
    const own = state.upstreams.get(upstream.name) ?? NEW_STATE;
    const times = VIDEO_MODELS.map((model) => [model, comingStarts(upstream, own, model, now)] as const);
    return { upstream, own, times: new Map(times), taken: 0 };
  });
  return {
    /** No upstream will ever take the task: they have retired the model, or the settings have changed. */
    never: (model: VideoModel, needs: Needs): boolean =>
      sources.every(
        ({ upstream, own }) => !canServe(upstream, model, needs) || isRetired(upstream, own, model, now),
      ),
    next: (model: VideoModel, needs: Needs): Start | undefined => {
      const coming = sources.flatMap((source) => {
        if (!canServe(source.upstream, model, needs)) return [];
        const time = source.times.get(model)?.[source.taken];
        const take = () => {
          source.taken += 1;
        };
        return time === undefined ? [] : [{ time, take }];
      });
      return coming.toSorted((one, other) => one.time - other.time)[0];
    },
  };
};

/** A task of each line in turn, so that a long line does not hold up the others. */
async function* inTurn<Line extends { readonly model: VideoModel }>(
  lines: readonly Line[],
  { waiting }: Pick<WaitingLine, 'waiting'>,
): AsyncGenerator<readonly [Line, WaitingTask]> {
  let turns = lines.map((line) => ({ line, tasks: waiting(line.model)[Symbol.asyncIterator]() }));
  while (turns.length > 0) {
    const left: typeof turns = [];
    for (const turn of turns) {
      const next = await turn.tasks.next();
      if (next.done === true) continue;
      left.push(turn);
      yield [turn.line, next.value];
    }
    turns = left;
  }
}

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

/** False if the task has moved on, so that another one can be called in its place. */
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
