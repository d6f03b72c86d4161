import * as z from 'zod/mini';
import { ASPECT_RATIOS, DURATIONS, IMAGE_TYPES, RESOLUTIONS, VIDEO_MODELS } from '../domain/models.ts';
import type { TaskPosition } from '../domain/ports.ts';
import { INPUT_ROLES, TASK_ERROR_CODES, type Task, WORK_KINDS } from '../domain/task.ts';
import { maybe } from './maybe.ts';

/** A task as DynamoDB holds it: the task itself under `task`, beside the keys of its indexes. */

export const DUE_SHARDS = ['due-0', 'due-1', 'due-2', 'due-3'] as const;

/** Tasks go this long after their files, or after their creation where there is none. */
const ITEM_LIFETIME = 90 * 24 * 60 * 60;

const taskSchema = z.object({
  id: z.string(),
  account: z.string(),
  keyId: z.string(),
  createdAt: z.number(),
  fingerprint: z.string(),
  request: z.object({
    model: z.enum(VIDEO_MODELS),
    prompt: z.string(),
    seconds: z.literal(DURATIONS),
    resolution: z.enum(RESOLUTIONS),
    aspectRatio: z.enum(ASPECT_RATIOS),
    negativePrompt: maybe(z.string()),
    seed: maybe(z.number()),
    mode: z.enum(['text', 'first_frame', 'first_and_last_frame', 'references']),
    inputs: z.array(z.object({ role: z.enum(INPUT_ROLES), key: z.string(), mimeType: z.enum(IMAGE_TYPES) })),
  }),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  step: z.number(),
  work: maybe(z.object({ kind: z.enum(WORK_KINDS), dueAt: z.number() })),
  attempts: z.number(),
  openSubmits: z.number(),
  operation: maybe(z.string()),
  submittedAt: maybe(z.number()),
  generatedAt: maybe(z.number()),
  refusedSince: maybe(z.number()),
  source: maybe(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('address'), uri: z.string() }),
      z.object({ kind: z.literal('inline') }),
    ]),
  ),
  file: maybe(z.object({ key: z.string(), bytes: z.number() })),
  completedAt: maybe(z.number()),
  expiresAt: maybe(z.number()),
  charge: maybe(
    z.object({
      seconds: z.number(),
      unitPrice: z.nullable(z.string()),
      amount: z.nullable(z.string()),
      currency: z.nullable(z.string()),
    }),
  ),
  error: maybe(z.object({ code: z.enum(TASK_ERROR_CODES), message: z.string() })),
});

const itemSchema = z.object({ task: taskSchema });

/** Orders an account's tasks by time, then by id. */
export const orderOf = ({ id, createdAt }: Pick<Task, 'id' | 'createdAt'>): string =>
  `${String(createdAt).padStart(15, '0')}#${id}`;

const shardOf = (id: string): string =>
  DUE_SHARDS[id.charCodeAt(id.length - 1) % DUE_SHARDS.length] ?? DUE_SHARDS[0];

/** Only a task with work left has the keys of the due index, so that the index holds just those. */
export const toItem = (task: Task) => ({
  id: task.id,
  step: task.step,
  account: task.account,
  position: orderOf(task),
  ...(task.work === undefined ? {} : { due_shard: shardOf(task.id), due_at: task.work.dueAt }),
  expires: Math.floor((task.expiresAt ?? task.createdAt) / 1000) + ITEM_LIFETIME,
  task,
});

/** A corrupt item throws: it is not the same as no item. */
export const fromItem = (item: unknown): Task => itemSchema.parse(item).task;

/** How long a list can go on from a task that is removed. */
const MARKER_LIFETIME = 24 * 60 * 60;

/** What stays of a removed task whose id does not tell its place in the list; it is in no index. */
export const toMarker = ({ id, account, createdAt }: Task, now: number) => ({
  id,
  removed_task: { account, createdAt },
  expires: Math.floor(now / 1000) + MARKER_LIFETIME,
});

const markerSchema = z.object({
  removed_task: z.optional(z.object({ account: z.string(), createdAt: z.number() })),
});

/** Undefined for a task that is there. */
export const readMarker = (item: unknown): TaskPosition | undefined => markerSchema.parse(item).removed_task;
