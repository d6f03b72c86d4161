type Usage = { second: number; inSecond: number; peak: number; total: number };

/** Units a second, by whatever can have too many of them: a table, or one partition of an index. */
export class CapacityMeter {
  readonly #usages = new Map<string, Usage>();

  readonly add = (name: string, units: number, now: number): void => {
    const second = Math.floor(now / 1000);
    let usage = this.#usages.get(name);
    if (usage === undefined) {
      usage = { second, inSecond: 0, peak: 0, total: 0 };
      this.#usages.set(name, usage);
    }
    if (usage.second !== second) {
      usage.second = second;
      usage.inSecond = 0;
    }
    usage.inSecond += units;
    usage.total += units;
    if (usage.inSecond > usage.peak) usage.peak = usage.inSecond;
  };

  readonly total = (name: string): number => this.#usages.get(name)?.total ?? 0;

  readonly peak = (name: string): number => this.#usages.get(name)?.peak ?? 0;

  /** The names of which the given one is the beginning. */
  readonly names = (prefix: string): readonly string[] =>
    [...this.#usages.keys()].filter((name) => name.startsWith(prefix));

  /** The one with the highest peak among those whose name begins so. */
  readonly hottest = (prefix: string): { readonly name: string; readonly peak: number } =>
    [...this.#usages]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { peak }]) => ({ name, peak }))
      .reduce((hottest, one) => (one.peak > hottest.peak ? one : hottest), { name: 'none', peak: 0 });
}
