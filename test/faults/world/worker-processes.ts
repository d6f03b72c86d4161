import type { Logger } from '../../../functions/platform/domain/log-events.ts';
import { failoverPool } from '../../../functions/upstream/domain/failover.ts';
import type { UpstreamPool } from '../../../functions/upstream/domain/pool.ts';
import { upstreamPauses } from '../../../functions/upstream/domain/process-pauses.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { onlyPool, poolStatesPort } from '../../support/in-memory/upstreams.ts';
import type { Invocation } from './invocation.ts';
import type { Stores } from './ports.ts';

type Process = { readonly settings: string; readonly pool: UpstreamPool; invocation: Invocation };

/** Workers keep the state that they have read of the upstreams, as on Lambda: a process runs one invocation at a time. */
export class WorkerProcesses {
  readonly #stores: Stores;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #processes: Process[] = [];

  constructor(stores: Stores, random: () => number, logger: Logger) {
    this.#stores = stores;
    this.#random = random;
    this.#logger = logger;
  }

  /** The parts of a worker that its process keeps. */
  readonly take = (invocation: Invocation) => {
    const { now } = this.#stores.time;
    const upstreams = this.#stores.settings();
    if (upstreams.length === 0) {
      const { pool, pauses } = onlyPool(now);
      return { pool, pauses };
    }
    const settings = JSON.stringify(upstreams);
    const idle = this.#processes.find(
      (process) => process.settings === settings && !process.invocation.isAlive && !process.invocation.isDead,
    );
    const process = idle ?? this.#start(settings, upstreams, invocation);
    process.invocation = invocation;
    return { pool: process.pool, pauses: upstreamPauses(now) };
  };

  #start(settings: string, upstreams: readonly Upstream[], invocation: Invocation): Process {
    const { gate, pool, time } = this.#stores;
    const states = poolStatesPort(pool, (name, apply, refused) =>
      gate.pass(process.invocation, name, apply, refused),
    );
    const process: Process = {
      settings,
      invocation,
      pool: failoverPool({ upstreams, states, logger: this.#logger, now: time.now, random: this.#random }),
    };
    this.#processes.push(process);
    return process;
  }
}
