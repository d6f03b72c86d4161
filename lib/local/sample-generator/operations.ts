import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from './operation-record.ts';
import type { Rendering, Renderings } from './renderings.ts';
import type { VideoOrder } from './video-order.ts';
import { writeWholeFile } from './whole-file.ts';

export type Operation = {
  readonly id: string;
  readonly order: VideoOrder;
  /** Milliseconds of the epoch, before which it stays pending. */
  readonly readyAt: number;
};

export type Operations = {
  start(order: VideoOrder): Promise<Operation>;
  find(id: string): Promise<Operation | undefined>;
  /** The finished renderings, or undefined while it is pending. */
  results(operation: Operation): readonly Rendering[] | undefined;
};

const HELD = 1000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = () => Array.from({ length: 11 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** A file's id is its operation's and one digit: there is no second list to keep. */
export const fileId = (operation: Operation, sample: number) => `${operation.id}${sample}`;
export const splitFileId = (id: string) => ({ operation: id.slice(0, 11), sample: Number(id.slice(11)) });

export const operationName = ({ id, order }: Operation) => `models/${order.model}/operations/${id}`;

/** Operations are written down, so that they survive a restart as the upstream's do. */
export const operationStore = (
  folder: string,
  renderings: Renderings,
  generationSeconds: number,
): Operations => {
  const held = new Map<string, Operation>();
  const finished = new WeakMap<Operation, readonly Rendering[]>();

  const hold = (operation: Operation) => {
    held.set(operation.id, operation);
    const [oldest] = held.keys();
    // It is on disk as well, and comes back when it is asked for.
    if (held.size > HELD && oldest !== undefined) held.delete(oldest);
    const { order } = operation;
    const count = order.wishes.ending === undefined ? order.samples : 0;
    const samples = Array.from({ length: count }, (_, sample) => renderings.video(order, sample));
    Promise.all(samples).then(
      (results) => finished.set(operation, results),
      (error) => finished.set(operation, [{ outcome: 'failed', message: String(error) }]),
    );
    return operation;
  };

  return {
    start: async (order) => {
      const seconds = Math.max(generationSeconds, order.wishes.delaySeconds ?? 0);
      const operation = { id: newId(), order, readyAt: Date.now() + seconds * 1000 };
      await writeWholeFile(join(folder, operation.id), JSON.stringify(operation));
      return hold(operation);
    },
    find: async (id) => {
      const operation = held.get(id);
      if (operation !== undefined) return operation;
      const text = await readFile(join(folder, id), 'utf8').catch(() => undefined);
      // Whoever read it meanwhile comes first: one operation is one object.
      return held.get(id) ?? (text === undefined ? undefined : hold(readRecord(text)));
    },
    results: (operation) => (Date.now() < operation.readyAt ? undefined : finished.get(operation)),
  };
};
