import { setImmediate as nextTurn } from 'node:timers/promises';

/** A port that answers a turn later, as a real one does: whoever does not wait for it goes on too soon. */
export const slowly =
  <Given extends readonly unknown[], Result>(port: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    await nextTurn();
    return port(...given);
  };
