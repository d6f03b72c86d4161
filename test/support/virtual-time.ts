type Happening = { readonly at: number; readonly order: number; readonly run: () => void };

/** Microtasks of a step are over when the event loop comes round again. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until the next thing happens, and then jumps to it. */
export class VirtualTime {
  #now: number;
  #count = 0;
  #happenings: Happening[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, run: () => void): void => {
    const happening = { at: this.#now + milliseconds, order: this.#count, run };
    this.#count += 1;
    const position = this.#happenings.findLastIndex(({ at }) => at <= happening.at) + 1;
    this.#happenings.splice(position, 0, happening);
  };

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => this.after(milliseconds, resolve));

  /** Lets things happen one by one until `over` says so; `look` sees the world after each. */
  async run(over: () => boolean, look: () => void): Promise<void> {
    await settle();
    while (!over()) {
      const next = this.#happenings.shift();
      if (next === undefined) throw new Error('nothing will ever happen again');
      this.#now = next.at;
      next.run();
      await settle();
      look();
    }
  }
}
