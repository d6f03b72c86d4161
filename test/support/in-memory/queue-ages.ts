import {
  addWork,
  NO_WORK,
  type QueueAges,
  type ReceivedMessages,
} from '../../../functions/videos/domain/step-queue.ts';
import {
  NO_LOAD,
  type WorkerLoad,
  type WorkerLoads,
} from '../../../functions/videos/domain/worker-capacity.ts';
import type { Admission } from '../../../functions/videos/usecases/watch-queue.ts';
import type { Worker } from '../../../functions/videos/usecases/worker.ts';
import { type Call, callAtOnce } from './call.ts';

/** The records of the task table: a value that is written again replaces the one before. */
export class MemoryQueueAges implements QueueAges {
  readonly #records = new Map<number, ReceivedMessages>();

  readonly record = async (minute: number, received: ReceivedMessages): Promise<void> => {
    const before = this.#records.get(minute);
    this.#records.set(minute, {
      onTime: received.onTime || before?.onTime === true,
      late: new Map([...(before?.late ?? []), ...received.late]),
      stalledSince: received.stalledSince ?? before?.stalledSince,
      work: addWork(before?.work ?? NO_WORK, received.work ?? NO_WORK),
    });
  };

  readonly read = async (minute: number): Promise<ReceivedMessages | undefined> => this.#records.get(minute);
}

export const agesPort = (ages: MemoryQueueAges, call: Call): QueueAges => ({
  record: (minute, received) => ages.record(minute, received),
  read: async (minute) => {
    const found = await ages.read(minute);
    return call('ages.read', () => found);
  },
});

/** The item of the task table with the load of the workers. */
export class MemoryWorkerLoads {
  load: WorkerLoad = NO_LOAD;
}

export const loadsPort = (loads: MemoryWorkerLoads, call: Call = callAtOnce): WorkerLoads => ({
  read: () => call('loads.read', () => loads.load),
  hold: (until) =>
    call('loads.hold', () => {
      loads.load = { ...loads.load, heldUntil: until };
    }),
  save: (load) =>
    call('loads.save', () => {
      loads.load = load;
    }),
});

/** For workers that have time for every task. */
export const IDLE_WORKERS: Pick<Worker, 'load' | 'meter' | 'retention'> = {
  retention: { retain: async () => {} },
  load: { current: async () => NO_LOAD, hold: async () => {} },
  meter: { started: () => {}, ended: () => {} },
};

/** For sweeps of a queue in which no message waits. */
export const emptyQueue = () => ({ depth: { waiting: async () => 0 }, ages: new MemoryQueueAges() });

export const ADMITS_ALL: Admission = { refusal: async () => undefined };
