import type { QueueAges, ReceivedMessages } from '../../../functions/videos/domain/step-queue.ts';
import type { Admission } from '../../../functions/videos/usecases/watch-queue.ts';
import type { Call } from './call.ts';

/** The records of the task table: a value that is written again replaces the one before. */
export class MemoryQueueAges implements QueueAges {
  readonly #records = new Map<number, ReceivedMessages>();

  readonly record = async (minute: number, received: ReceivedMessages): Promise<void> => {
    const before = this.#records.get(minute);
    this.#records.set(minute, {
      onTime: received.onTime || before?.onTime === true,
      late: new Map([...(before?.late ?? []), ...received.late]),
      stalledSince: received.stalledSince ?? before?.stalledSince,
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

/** For sweeps of a queue in which no message waits. */
export const emptyQueue = () => ({ depth: { waiting: async () => 0 }, ages: new MemoryQueueAges() });

export const ADMITS_ALL: Admission = { refusal: async () => undefined };
