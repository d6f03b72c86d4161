import { hash } from 'node:crypto';
import type { Caller } from '../../identity/domain/api-key.ts';
import type { Fields } from '../domain/messages.ts';
import type { ToolName } from '../domain/tools.ts';

/**
 * Clients send a call again if its answer is lost, under a new id, and models repeat a call that took too long. So an
 * identical call within two minutes gets the video or images of the first one, as long as these are unfinished.
 *
 * The call's own `Idempotency-Key` is derived from its arguments, the two minutes in which it came, and the number of
 * finished calls before it. Of identical calls at the same moment, all have the same key, and one of them wins.
 */

const WINDOW = 120_000;
const MAX_FINISHED = 20;

export type EarlierCall = {
  readonly createdAt: number;
  readonly isFinished: boolean;
};

type Key = { readonly idempotencyKey: string; readonly isRepeat: boolean };

/** The same for the same arguments in any order. */
const digestCall = (caller: Caller, tool: ToolName, given: Fields): string => {
  const sorted = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([caller.account, caller.keyId, tool, sorted])).slice(0, 32);
};

/** Finds the first unfinished call of a window, or the key for the next one. */
const findInWindow = async (
  toKey: (finished: number) => string,
  find: (key: string) => Promise<EarlierCall | undefined>,
  now: number,
): Promise<Key | undefined> => {
  for (let finished = 0; finished < MAX_FINISHED; finished += 1) {
    const idempotencyKey = toKey(finished);
    const earlier = await find(idempotencyKey);
    if (earlier === undefined) return { idempotencyKey, isRepeat: false };
    if (!earlier.isFinished && now < earlier.createdAt + WINDOW) return { idempotencyKey, isRepeat: true };
  }
  return undefined;
};

/** The key for a call that has none; undefined after many calls in a short time, which then are not compared. */
export const keyForCall = async (
  call: { readonly caller: Caller; readonly tool: ToolName; readonly given: Fields; readonly now: number },
  find: (key: string) => Promise<EarlierCall | undefined>,
): Promise<Key | undefined> => {
  const { caller, tool, given, now } = call;
  const digest = digestCall(caller, tool, given);
  const window = Math.floor(now / WINDOW);
  const search = (at: number) => findInWindow((finished) => `mcp-${digest}-${at}-${finished}`, find, now);
  const earlier = await search(window - 1);
  return earlier?.isRepeat === true ? earlier : search(window);
};
