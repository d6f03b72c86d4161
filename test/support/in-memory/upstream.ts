import { UpstreamError } from '../../../functions/upstream/domain/faults.ts';
import type { GeneratedImage } from '../../../functions/upstream/domain/image-request.ts';
import type { OperationState, VideoError } from '../../../functions/upstream/domain/video-generator.ts';
import { GENERATED_IMAGE } from '../builders/requests.ts';
import { mp4Video, wholeMp4 } from '../sample-video.ts';

/** How the generator behaves in a scenario. */
export type UpstreamPlan = {
  /** How long a generation takes. */
  readonly generating: number;
  readonly rejects?: UpstreamError;
  readonly ends?: VideoError;
  /** Errors that come first, in this order, before the call works; undefined for a call that works. */
  readonly submitErrors?: readonly (UpstreamError | undefined)[];
  readonly checkErrors?: readonly UpstreamError[];
  readonly openErrors?: readonly UpstreamError[];
  /** How many times the file comes cut off before it comes whole. */
  readonly cutOffFiles?: number;
  /** The duration in the header of its files; unknown if not said. */
  readonly deliveredSeconds?: number;
  /** Whether all submits with the same key start one operation. */
  readonly isIdempotent?: boolean;
};

/** The generator: it takes a request or refuses it, and knows which task it took how often. */
export class MemoryUpstream {
  readonly #plan: UpstreamPlan;
  readonly #operations = new Map<string, number>();
  /** The operation of each idempotency key. */
  readonly #keys = new Map<string, string>();
  readonly #made = { submit: 0, check: 0, open: 0 };
  readonly accepted: string[] = [];
  /** When each submit arrived. */
  readonly arrivals: number[] = [];
  /** Submits that a task may believe to be accepted. */
  readonly unrefused: string[] = [];
  /** The most generations at once. */
  mostAtOnce = 0;
  /** How many images it made. */
  images = 0;

  constructor(plan: UpstreamPlan) {
    this.#plan = plan;
  }

  /** The file of every video. */
  get file(): Uint8Array {
    const { deliveredSeconds: seconds } = this.#plan;
    return seconds === undefined ? wholeMp4() : mp4Video({ width: 1280, height: 720, seconds });
  }

  get deliveredSeconds(): number | undefined {
    return this.#plan.deliveredSeconds;
  }

  readonly submit = (taskId: string, key: string, now: number): string => {
    const known = this.#plan.isIdempotent === true ? this.#keys.get(key) : undefined;
    if (known !== undefined) return known;
    this.arrivals.push(now);
    try {
      this.#fail('submit', this.#plan.submitErrors);
    } catch (error) {
      if (error instanceof UpstreamError && error.fault === 'unanswered') this.unrefused.push(taskId);
      throw error;
    }
    if (this.#plan.rejects !== undefined) throw this.#plan.rejects;
    this.unrefused.push(taskId);
    const operation = `operations/${this.accepted.push(taskId)}`;
    this.#keys.set(key, operation);
    this.#operations.set(operation, now + this.#plan.generating);
    const atOnce = [...this.#operations.values()].filter((readyAt) => readyAt > now).length;
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    return operation;
  };

  readonly check = (operation: string, now: number): OperationState => {
    this.#fail('check', this.#plan.checkErrors);
    const readyAt = this.#operations.get(operation);
    if (readyAt === undefined) throw new UpstreamError('operator', 'no such operation', { httpStatus: 404 });
    if (now < readyAt) return { state: 'pending' };
    if (this.#plan.ends !== undefined) return { state: 'failed', error: this.#plan.ends };
    return { state: 'done', source: { kind: 'address', uri: `https://upstream.test/${operation}` } };
  };

  readonly makeImage = (): GeneratedImage => {
    if (this.#plan.rejects !== undefined) throw this.#plan.rejects;
    this.images += 1;
    return GENERATED_IMAGE;
  };

  /** The file in two chunks that cut a box in the middle. */
  readonly open = (): readonly Uint8Array[] => {
    this.#fail('open', this.#plan.openErrors);
    const cutOff = this.#made.open - (this.#plan.openErrors ?? []).length <= (this.#plan.cutOffFiles ?? 0);
    const file = this.file.subarray(0, cutOff ? 30 : undefined);
    return [file.subarray(0, 20), file.subarray(20)];
  };

  #fail(call: 'submit' | 'check' | 'open', errors: readonly (UpstreamError | undefined)[] = []): void {
    const error = errors[this.#made[call]];
    this.#made[call] += 1;
    if (error !== undefined) throw error;
  }
}
