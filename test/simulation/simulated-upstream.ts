import { UpstreamError } from '../../functions/upstream/domain/faults.ts';
import type { OperationState } from '../../functions/upstream/domain/video-generator.ts';
import { wholeMp4 } from '../support/sample-video.ts';

type Options = {
  readonly now: () => number;
  readonly random: () => number;
  readonly generation: number;
  readonly callsAMinute: number;
  readonly outage: { readonly from: number; readonly to: number };
};

const MINUTE = 60_000;
const VIDEO = wholeMp4();

/** The generator: so many calls a minute, submits and checks alike, and a generation of about the given time. */
export class SimulatedUpstream {
  readonly #options: Options;
  readonly #readyAt: number[] = [];
  #minute = 0;
  #inMinute = 0;
  /** When each submit arrived. */
  readonly arrivals: number[] = [];
  readonly counts = { submits: 0, checks: 0, refused: 0, failed: 0, busiestMinute: 0 };

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many generations it has begun. */
  get begun(): number {
    return this.#readyAt.length;
  }

  /** True while calls are turned away, which takes less time than an answer. */
  readonly isRefusing = (): boolean => {
    const now = this.#options.now();
    const { outage, callsAMinute } = this.#options;
    if (now >= outage.from && now < outage.to) return true;
    return Math.floor(now / MINUTE) === this.#minute && this.#inMinute >= callsAMinute;
  };

  readonly arrive = (): void => {
    this.arrivals.push(this.#options.now());
  };

  /** Generations under way. */
  get generating(): number {
    const now = this.#options.now();
    return this.#readyAt.reduce((count, readyAt) => (readyAt > now ? count + 1 : count), 0);
  }

  readonly submit = (): string => {
    this.counts.submits += 1;
    this.#admit();
    const { now, generation, random } = this.#options;
    // Two draws give most of them about the given time, and a few twice as long.
    const spread = 0.6 + 0.4 * random() + 0.4 * random() + (random() < 0.05 ? random() : 0);
    return `operations/${this.#readyAt.push(now() + Math.round(generation * spread)) - 1}`;
  };

  readonly check = (operation: string): OperationState => {
    this.counts.checks += 1;
    this.#admit();
    if (this.#options.now() < this.readyAt(operation)) return { state: 'pending' };
    return { state: 'done', source: { kind: 'address', uri: `https://upstream.test/${operation}` } };
  };

  readonly open = (): Uint8Array => {
    this.#fail();
    return VIDEO;
  };

  readonly readyAt = (operation: string): number => {
    const readyAt = this.#readyAt[Number(operation.slice('operations/'.length))];
    if (readyAt === undefined) throw new Error(`there is no ${operation}`);
    return readyAt;
  };

  /** How much of the time between the two the outage took. */
  readonly outageBetween = (from: number, to: number): number => {
    const { outage } = this.#options;
    return Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from));
  };

  #admit(): void {
    const now = this.#options.now();
    const minute = Math.floor(now / MINUTE);
    if (minute !== this.#minute) this.#inMinute = 0;
    this.#minute = minute;
    this.#fail();
    if (this.#inMinute >= this.#options.callsAMinute) {
      this.counts.refused += 1;
      const retryAfterSeconds = Math.ceil(((minute + 1) * MINUTE - now) / 1000);
      throw new UpstreamError('busy', 'too many requests', { httpStatus: 429, retryAfterSeconds });
    }
    this.#inMinute += 1;
    this.counts.busiestMinute = Math.max(this.counts.busiestMinute, this.#inMinute);
  }

  #fail(): void {
    const { from, to } = this.#options.outage;
    const now = this.#options.now();
    if (now < from || now >= to) return;
    this.counts.failed += 1;
    throw new UpstreamError('failing', 'out of order', { httpStatus: 503 });
  }
}
