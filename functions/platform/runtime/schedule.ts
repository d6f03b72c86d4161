import type { Context } from 'aws-lambda';

/** Enough for the calls that are under way, and to say what is left. */
const RESERVE_MILLISECONDS = 15_000;

/** When a scheduled run begins nothing new, so that it ends by itself before Lambda ends it. */
export const stopBefore = ({ getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>): number =>
  Date.now() + getRemainingTimeInMillis() - RESERVE_MILLISECONDS;

/** Waits for all parts of a run, although one fails: Lambda stops what is under way when a handler throws. */
export const allDone = async (parts: readonly Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};
