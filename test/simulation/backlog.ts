import type { VirtualClock } from '../support/virtual-clock.ts';

const INTERVAL = 10_000;

/** How many tasks are under way over time, to see when an outage is made up for. */
export class Backlog {
  readonly #samples: { readonly at: number; readonly count: number }[] = [];

  constructor(clock: VirtualClock, count: () => number) {
    const look = (): void => {
      this.#samples.push({ at: clock.now(), count: count() });
      clock.after(INTERVAL, look);
    };
    clock.after(0, look);
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
