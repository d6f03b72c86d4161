import type { FileReader } from '../../../functions/files/domain/files.ts';
import type { DueTasks, MediaStore, TaskRepository } from '../../../functions/videos/domain/ports.ts';
import { joined } from '../sample-video.ts';
import type { MemoryMedia } from './media.ts';
import type { MemoryTasks } from './tasks.ts';

/** The ports straight onto what is in memory: no delay, no fault. */

export const plainTasks = (tasks: MemoryTasks): TaskRepository & DueTasks => ({
  create: async (task) => tasks.create(task),
  find: async (id) => tasks.find(id),
  advance: async (next) => tasks.advance(next),
  remove: async (task) => tasks.remove(task),
  position: () => Promise.reject(new Error('no path of the worker lists tasks')),
  due: async function* (before) {
    yield* tasks.due(before);
  },
  postpone: async (task, dueAt) => tasks.postpone(task, dueAt),
});

export const plainMedia = (media: MemoryMedia, now: () => number): MediaStore & FileReader => ({
  putInput: async (key, { bytes }) => media.put(key, bytes, now()),
  getInput: async (key) => media.get(key),
  openFile: async (key, firstBytes) => media.open(key, firstBytes),
  putVideo: async (key, video) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of video) chunks.push(chunk);
    media.put(key, joined(...chunks), now());
  },
  remove: async (keys) => media.remove(keys),
  inputs: async function* () {
    yield* media.inputs();
  },
});
