import type { retryWhileThrottled } from '../../../functions/platform/aws/aws-clients.ts';
import type { UpstreamError } from '../../../functions/upstream/domain/faults.ts';
import type { CallName } from '../../support/in-memory/call.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { type Fault, type FaultKind, isRead } from './fault.ts';
import type { Invocation } from './invocation.ts';
import { isUpstream, refusalError, timeoutError } from './refusals.ts';

const APART = 30_000;
/** As the functions give it to their clients; all others refuse at once. */
const PATIENCE_MS: Partial<Record<Invocation['role'], number>> = {
  worker: 72_000,
  webhookWorker: 20_000,
  deadLetter: 15_000,
};
/** How long a client waits before it says that there is no answer. */
const TIMEOUTS_MS = { generator: 40_000, other: 10_000 };

/** Makes calls fail for as long as a part of the world is out of order, in addition to the faults. */
export type Outage = (
  name: CallName,
  invocation: Invocation,
  now: number,
) => 'throttled' | 'timeout though applied' | UpstreamError | undefined;

type Call<T> = {
  readonly invocation: Invocation;
  readonly name: CallName;
  readonly apply: () => T;
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
  /** The answer of a conditional write whose condition does not hold. */
  readonly refused: T | undefined;
};

type Options = {
  readonly time: VirtualClock;
  readonly random: () => number;
  readonly faults: readonly Fault[];
  readonly outage: Outage;
  /** How the AWS clients repeat what is throttled; they do not if not given. */
  readonly repeat: typeof retryWhileThrottled | undefined;
};

/** Every call passes here: it takes a little time, so that invocations interleave, and it may go wrong. */
export class Gate {
  /** The names of the calls so far; a call's number is its position. */
  readonly names: CallName[] = [];
  /** How many calls may have changed something. */
  changes = 0;
  /** Submits that the upstream took and whose answer a fault swallowed, by task. */
  readonly lostAnswers = new Map<string, number>();
  readonly #awaited: { readonly count: number; readonly wake: () => void }[] = [];
  readonly #options: Options;
  readonly #faults: ReadonlyMap<number, FaultKind>;

  constructor(options: Options) {
    this.#options = options;
    this.#faults = new Map(options.faults.map(({ call, kind }) => [call, kind]));
  }

  /** Resolves when this many calls have been made. */
  readonly reached = (count: number): Promise<void> =>
    new Promise((wake) => this.#awaited.push({ count, wake }));

  readonly pass = <T>(invocation: Invocation, name: CallName, apply: () => T, refused?: T): Promise<T> => {
    const { repeat, time } = this.#options;
    if (repeat === undefined) return this.#passOnce(invocation, name, apply, refused);
    // A dead invocation repeats nothing.
    const once = (): Promise<T> =>
      invocation.isDead ? new Promise(() => {}) : this.#passOnce(invocation, name, apply, refused);
    const milliseconds = PATIENCE_MS[invocation.role] ?? 0;
    return repeat(once, { milliseconds, now: time.now, pause: time.sleep });
  };

  #passOnce<T>(invocation: Invocation, name: CallName, apply: () => T, refused?: T): Promise<T> {
    const fault = this.#faults.get(this.names.length);
    this.names.push(name);
    for (const { count, wake } of this.#awaited) if (count === this.names.length) wake();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const counted = (): T => {
      this.changes += 1;
      return apply();
    };
    const call = { invocation, name, apply: isRead(name) ? apply : counted, refused, resolve, reject };
    this.#options.time.after(this.#latency(), () => this.#happen(call, fault));
    return promise;
  }

  #happen<T>(call: Call<T>, fault: FaultKind | undefined): void {
    const { time, outage } = this.#options;
    const trouble = outage(call.name, call.invocation, time.now()) ?? fault;
    if (trouble === undefined) succeed(call);
    else if (typeof trouble === 'object') answer(call, () => call.reject(trouble));
    else this.#effects[trouble](call);
  }

  readonly #effects: Record<FaultKind, <T>(call: Call<T>) => void> = {
    'crash before': ({ invocation }) => this.#crash(invocation),
    'crash after': (call) => {
      this.#applyUnseen(call);
      this.#crash(call.invocation);
    },
    'timeout though applied': (call) => {
      const { name, reject } = call;
      this.#applyUnseen(call);
      const timeoutMs = isUpstream(name) ? TIMEOUTS_MS.generator : TIMEOUTS_MS.other;
      this.#options.time.after(timeoutMs, () => answer(call, () => reject(timeoutError(name))));
    },
    throttled: (call) => refuse(call),
    'own write refused': (call) => refuseOwnWrite(call),
    'delivered twice at once': (call) => {
      call.apply();
      succeed(call);
    },
    'delivered twice apart': (call) => {
      this.#options.time.after(APART, call.apply);
      succeed(call);
    },
  };

  #applyUnseen<T>({ invocation, name, apply }: Call<T>): void {
    try {
      apply();
    } catch {
      return;
    }
    if (name === 'generator.submit') this.#loseAnswer(invocation);
  }

  #crash(invocation: Invocation): void {
    if (invocation.holdsAnswer) this.#loseAnswer(invocation);
    invocation.die();
  }

  #loseAnswer(invocation: Invocation): void {
    invocation.holdsAnswer = false;
    const taskId = invocation.taskId ?? '';
    this.lostAnswers.set(taskId, (this.lostAnswers.get(taskId) ?? 0) + 1);
  }

  #latency(): number {
    return [1, 4, 15, 60][Math.floor(this.#options.random() * 4)] ?? 1;
  }
}

/** A dead invocation hears nothing. */
const answer = <T>({ invocation }: Call<T>, finish: () => void): void => {
  if (!invocation.isDead) finish();
};

const succeed = <T>(call: Call<T>): void => {
  try {
    const result = call.apply();
    answer(call, () => call.resolve(result));
  } catch (error) {
    answer(call, () => call.reject(error));
  }
};

const refuse = <T>(call: Call<T>): void => answer(call, () => call.reject(refusalError(call.name)));

const refuseOwnWrite = <T>(call: Call<T>): void => {
  const { refused, apply, name } = call;
  if (refused === undefined) throw new Error(`${name} has no condition`);
  apply();
  answer(call, () => call.resolve(refused));
};
