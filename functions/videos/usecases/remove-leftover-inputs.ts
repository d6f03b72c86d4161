import type { Clock, Logger } from '../../platform/domain/log-events.ts';
import { inGroups, inParallel } from '../../platform/domain/requeue-overdue.ts';
import { type CleanUpPosition, inputPosition, type MediaStore, readInputKey } from '../domain/media.ts';
import { LEFTOVER_AGE } from '../domain/schedule.ts';
import type { TaskInputs } from '../domain/task.ts';

type Dependencies = {
  readonly tasks: TaskInputs;
  readonly media: Pick<MediaStore, 'inputsAfter' | 'remove'>;
  readonly position: CleanUpPosition;
  readonly logger: Logger;
  readonly now: Clock;
  /** When this run stops; the next run continues from its position. */
  readonly stopAt: number;
};

/** As many as one call reads. */
const TASKS_AT_ONCE = 100;
const CALLS_AT_ONCE = 4;

/**
 * Removes input images of requests that created no task. Inputs stay as long as their task, so there can be millions, but
 * their keys sort by time: a run reads only those that became old enough since the last one.
 */
export const removeLeftoverInputs = async (dependencies: Dependencies): Promise<void> => {
  const { media, position, logger, now, stopAt } = dependencies;
  const until = inputPosition(now() - LEFTOVER_AGE.from);
  const counts = { checked: 0, removed: 0 };
  let last = (await position.read()) ?? inputPosition(now() - LEFTOVER_AGE.to);
  let isComplete = false;
  try {
    for await (const page of media.inputsAfter(last)) {
      const keys = page.filter((key) => key < until);
      counts.removed += await removeUnused(dependencies, keys);
      counts.checked += keys.length;
      last = keys.at(-1) ?? last;
      // If a call fails, the next run repeats the page, so that no leftover is missed.
      await position.save(last);
      if (keys.length < page.length) break;
      if (now() >= stopAt) return;
    }
    isComplete = true;
  } finally {
    logger.info('leftovers removed', { ...counts, isComplete });
  }
};

/** Inputs of an unreadable task stay; the lifecycle of the bucket removes them. */
const removeUnused = async ({ tasks, media }: Dependencies, keys: readonly string[]): Promise<number> => {
  const stored = keys.flatMap((key) => readInputKey(key)?.id ?? []);
  const inputs = Map.groupBy(keys, (key) => readInputKey(key)?.id);
  const unused: string[] = [];
  await inParallel(inGroups(new Set(stored), TASKS_AT_ONCE), CALLS_AT_ONCE, async (ids) => {
    const used = await tasks.inputKeys(ids);
    for (const id of ids) {
      const kept = used.get(id);
      if (kept !== 'unreadable')
        unused.push(...(inputs.get(id) ?? []).filter((key) => kept?.includes(key) !== true));
    }
  });
  await media.remove(unused);
  return unused.length;
};
