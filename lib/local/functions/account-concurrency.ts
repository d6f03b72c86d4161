import { LocalCloudError } from '../local-cloud-error.ts';
import type { FunctionDefinition } from './definition.ts';

/** AWS refuses a reservation that leaves fewer executions to the functions without one. */
const LEAST_UNRESERVED = 100;

type Limited = Pick<FunctionDefinition, 'logicalId' | 'reservedConcurrency'>;

type Pool = { readonly limit: number; running: number };

/** Counts the concurrent executions of the whole account: reservations are taken out of the quota that the others share. */
export class AccountConcurrency {
  readonly #shared: Pool;
  readonly #reserved: ReadonlyMap<string, Pool>;
  readonly #throttles = new Map<string, number>();

  constructor(quota: number, functions: readonly Limited[]) {
    const reserved = functions.flatMap(({ logicalId, reservedConcurrency }) =>
      reservedConcurrency === undefined ? [] : [[logicalId, reservedConcurrency] as const],
    );
    const total = reserved.reduce((sum, [, limit]) => sum + limit, 0);
    if (total > 0 && quota - total < LEAST_UNRESERVED) {
      throw new LocalCloudError(
        `ReservedConcurrentExecutions come to ${total}: of the ${quota} executions of the account, ${LEAST_UNRESERVED} must stay for functions without a reservation.`,
      );
    }
    this.#shared = { limit: quota - total, running: 0 };
    this.#reserved = new Map(reserved.map(([logicalId, limit]) => [logicalId, { limit, running: 0 }]));
  }

  /** Executions under way. */
  get running(): number {
    return [this.#shared, ...this.#reserved.values()].reduce((sum, pool) => sum + pool.running, 0);
  }

  /** How many invocations of each function were turned away, as the metric Throttles tells. */
  get throttles(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#throttles);
  }

  /** Begins an execution and returns how to end it; undefined if Lambda would throttle it. */
  begin(functionId: string): (() => void) | undefined {
    const pool = this.#reserved.get(functionId) ?? this.#shared;
    if (pool.running >= pool.limit) {
      this.#throttles.set(functionId, (this.#throttles.get(functionId) ?? 0) + 1);
      return undefined;
    }
    pool.running += 1;
    return () => {
      pool.running -= 1;
    };
  }
}
