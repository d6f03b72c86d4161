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
