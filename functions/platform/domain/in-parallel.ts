/** The items in arrays of so many; the last may have fewer. What came before an error of the source is not lost. */
export async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  try {
    for await (const item of items) {
      group.push(item);
      if (group.length < size) continue;
      const full = group;
      group = [];
      yield full;
    }
  } catch (error) {
    if (group.length > 0) yield group;
    throw error;
  }
  if (group.length > 0) yield group;
}

/** Works on so many items at once, and takes the next only when one is done. */
export const inParallel = async <T>(
  items: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const one: Promise<void> = work(item).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= width) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
};
