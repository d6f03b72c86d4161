import type { Entry } from './query.ts';

/**
 * Changes the data as a write has changed it at the server, and drops a request under way, which may return data from
 * before the write. Not part of query.ts, because the first page does not need it.
 */
export const updateEntry = <Data>(entry: Entry<Data>, change: (data: Data) => Data): void => {
  const { data } = entry.snapshot();
  if (data === undefined) {
    void entry.invalidate();
    return;
  }
  entry.stop();
  entry.set(change(data));
};
