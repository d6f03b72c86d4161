const WIDTH = 3;

/** Acts so many times, a few at once: each request under way needs a function process, which is slow to start. */
export const fewAtOnce = async <T>(count: number, act: (position: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  const positions = Array.from({ length: count }, (_, position) => position).values();
  const work = async (): Promise<void> => {
    for (const position of positions) results[position] = await act(position);
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  return results;
};
