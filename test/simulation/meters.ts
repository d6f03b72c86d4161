import type { VirtualClock } from '../support/virtual-clock.ts';

/** Numbers of which the percentiles are asked for in the end. */
export class Distribution {
  #values = new Float64Array(1024);
  #count = 0;
  #isSorted = false;
  sum = 0;

  readonly add = (value: number): void => {
    this.sum += value;
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(2 * this.#count);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
    this.#isSorted = false;
  };

  get count(): number {
    return this.#count;
  }

  /** The smallest value that this share of all values does not exceed; 0 where there is none. */
  readonly percentile = (share: number): number => {
    if (!this.#isSorted) this.#values.subarray(0, this.#count).sort();
    this.#isSorted = true;
    return this.#values[Math.max(0, Math.ceil(share * this.#count) - 1)] ?? 0;
  };
}

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

/** Looks now and after each interval, as long as the run takes. */
const lookEvery = (clock: VirtualClock, interval: number, look: () => void): void => {
  const lookAgain = (): void => {
    look();
    clock.after(interval, lookAgain);
  };
  clock.after(0, lookAgain);
};

/** How much of something is in use: at the most, and on average while tasks wait for it. */
export class UseMeter {
  #samples = 0;
  #sum = 0;
  most = 0;

  constructor(clock: VirtualClock, isWaiting: () => boolean, used: () => number) {
    lookEvery(clock, 1000, () => {
      this.most = Math.max(this.most, used());
      if (!isWaiting()) return;
      this.#samples += 1;
      this.#sum += used();
    });
  }

  /** Undefined if no task has waited. */
  get average(): number | undefined {
    return this.#samples === 0 ? undefined : this.#sum / this.#samples;
  }
}

/** How many tasks are under way over time, to see when an outage is made up for. */
export class Backlog {
  readonly #samples: { readonly at: number; readonly count: number }[] = [];

  constructor(clock: VirtualClock, count: () => number) {
    lookEvery(clock, 10_000, () => void this.#samples.push({ at: clock.now(), count: count() }));
  }

  get largest(): number {
    return this.#samples.reduce((largest, { count }) => Math.max(largest, count), 0);
  }

  /** How long after the outage no more tasks are under way than at the most before it. */
  readonly goneAfter = (outage: { readonly from: number; readonly to: number }): number | undefined => {
    const before = this.#samples.filter(({ at }) => at >= outage.from / 2 && at < outage.from);
    const usual = before.reduce((largest, { count }) => Math.max(largest, count), 0);
    const gone = this.#samples.find(({ at, count }) => at >= outage.to && count <= usual);
    return gone === undefined ? undefined : gone.at - outage.to;
  };
}
