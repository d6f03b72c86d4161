/** Shows what a start is doing: one line a phase, with its time. */
export type Phase = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

export const createProgress =
  (print: (line: string) => void): Phase =>
  async (name, work) => {
    const started = performance.now();
    const value = await work();
    print(`${name.padEnd(32)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return value;
  };
