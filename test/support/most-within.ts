/** The most times within any span of the given length. */
export const mostWithin = (times: readonly number[], span: number): number => {
  const sorted = times.toSorted((one, other) => one - other);
  let [first, most] = [0, 0];
  for (const [last, time] of sorted.entries()) {
    while ((sorted[first] ?? time) <= time - span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
};
