import { randomInt } from 'node:crypto';
import { findRecord, type Operation, writeRecord } from './operation-record.ts';
import type { RenderCache, RenderResult } from './render-cache.ts';
import type { VideoSpec } from './video-spec.ts';

export type Operations = {
  start(spec: VideoSpec): Promise<Operation>;
  find(id: string): Promise<Operation | undefined>;
  /** The finished samples, or undefined while it is pending. */
  results(operation: Operation): readonly RenderResult[] | undefined;
};

const HELD = 1000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = () => Array.from({ length: 11 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** A file's id is its operation's and one digit: there is no second list to keep. */
export const fileId = (operation: Operation, sample: number) => `${operation.id}${sample}`;
export const splitFileId = (id: string) => ({ operation: id.slice(0, 11), sample: Number(id.slice(11)) });

export const operationName = ({ id, spec }: Operation) => `models/${spec.model}/operations/${id}`;

/** Operations are written down, so that they survive a restart as the upstream's do. */
export const operationStore = (
  folder: string,
  renderCache: RenderCache,
  generationSeconds: number,
): Operations => {
  const held = new Map<string, Operation>();
  const finished = new WeakMap<Operation, readonly RenderResult[]>();

  const hold = (operation: Operation) => {
    held.set(operation.id, operation);
    const [oldest] = held.keys();
    // It is on disk as well, and comes back when it is asked for.
    if (held.size > HELD && oldest !== undefined) held.delete(oldest);
    return operation;
  };

  const finish = async (operation: Operation, results: readonly RenderResult[]) => {
    // Written before anybody is told: what was finished once is finished after a restart. A full disk
    // takes that away, but not the video.
    if (results.every(({ outcome }) => outcome !== 'failed'))
      await writeRecord(folder, operation, results).catch(() => {});
    finished.set(operation, results);
  };

  const render = (operation: Operation) => {
    const { spec } = operation;
    const count = spec.directives.ending === undefined ? spec.samples : 0;
    const samples = Array.from({ length: count }, (_, sample) => renderCache.video(spec, sample));
    Promise.all(samples)
      .then((results) => finish(operation, results))
      .catch((error) => finished.set(operation, [{ outcome: 'failed', message: String(error) }]));
  };

  return {
    start: async (spec) => {
      const seconds = Math.max(generationSeconds, spec.directives.delaySeconds ?? 0);
      const operation = { id: newId(), spec, readyAt: Date.now() + seconds * 1000 };
      await writeRecord(folder, operation);
      render(operation);
      return hold(operation);
    },
    find: async (id) => {
      const record = held.has(id) ? undefined : await findRecord(folder, id);
      // Whoever read it meanwhile comes first: one operation is one object.
      const known = held.get(id);
      if (known !== undefined || record === undefined) return known;
      if (record.results === undefined) render(record.operation);
      else finished.set(record.operation, record.results);
      return hold(record.operation);
    },
    results: (operation) => (Date.now() < operation.readyAt ? undefined : finished.get(operation)),
  };
};
