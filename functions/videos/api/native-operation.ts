import * as z from 'zod/mini';
import type { Task, TaskErrorCode } from '../domain/task.ts';

const ID_PREFIX = 'task_';

/** Google's clients take `[a-z0-9]+` for the id of a file: a task's id without its prefix. */
const fileAddress = ({ id }: Task, baseUrl: string): string =>
  `${baseUrl}/v1beta/files/${id.slice(ID_PREFIX.length)}:download?alt=media`;

const FILE = /^([0-9a-z]+)(?::|%3a)download$/i;

/**
 * The task whose file a path names. Over plain http Google's clients put the whole address of a file where its
 * id belongs, so the last part alone counts.
 */
export const taskIdOfFile = (path: string): string | undefined => {
  const id = FILE.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  return id === undefined ? undefined : `${ID_PREFIX}${id}`;
};

export const operationName = ({ id, request }: Pick<Task, 'id' | 'request'>): string =>
  `models/${request.model}/operations/${id}`;

/** The codes of google.rpc; what was blocked is no error there. */
const RPC_CODES = {
  upstream_rejected: 3,
  generation_timeout: 4,
  queue_timeout: 4,
  rate_limited: 8,
  internal: 13,
  upstream_unavailable: 14,
} as const satisfies Record<Exclude<TaskErrorCode, 'content_blocked'>, number>;

const RESPONSE_TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
const doneWith = (name: string, generateVideoResponse: VideoResponse): NativeOperation => ({
  name,
  done: true,
  response: { '@type': RESPONSE_TYPE, generateVideoResponse },
});

/** A task as a long-running operation. */
export const nativeOperation = (task: Task, baseUrl: string): NativeOperation => {
  const name = operationName(task);
  const { status, error } = task;
  if (status === 'completed')
    return doneWith(name, { generatedSamples: [{ video: { uri: fileAddress(task, baseUrl) } }] });
  if (status !== 'failed') return { name, done: false };
  const { code, message } = error ?? { code: 'internal', message: 'No reason is known.' };
  if (code === 'content_blocked')
    return doneWith(name, { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [message] });
  return { name, done: true, error: { code: RPC_CODES[code], message } };
};

const name = z.string().check(z.regex(/^models\/[0-9a-z.-]+\/operations\/task_[0-9a-z]{26}$/));

const videoResponseSchema = z.union([
  z.object({
    generatedSamples: z.array(z.object({ video: z.object({ uri: z.string() }) })),
  }),
  z.object({ raiMediaFilteredCount: z.int(), raiMediaFilteredReasons: z.array(z.string()) }),
]);

const pendingOperationSchema = z.object({ name, done: z.literal(false) });

export const nativeOperationSchema = z
  .union([
    pendingOperationSchema,
    z.object({
      name,
      done: z.literal(true),
      response: z.object({ '@type': z.literal(RESPONSE_TYPE), generateVideoResponse: videoResponseSchema }),
    }),
    z.object({
      name,
      done: z.literal(true),
      error: z.object({ code: z.literal([...new Set(Object.values(RPC_CODES))]), message: z.string() }),
    }),
  ])
  .check(z.describe('A video task as a long-running operation: not done, done, or failed.'));

type VideoResponse = z.infer<typeof videoResponseSchema>;
export type NativeOperation = z.infer<typeof nativeOperationSchema>;
