import type { Task } from '../../videos/domain/task.ts';
import type { Fields } from '../domain/messages.ts';
import { quoteError, type ToolResult } from '../domain/tools.ts';
import { toTime } from './video-result.ts';

/** The facts are sent twice: structured, and as one line of JSON for clients that read only text. */
export const toolAnswer = ({ structured, content = [] }: ToolResult): Fields => ({
  content: [{ type: 'text', text: JSON.stringify(structured) }, ...content],
  structuredContent: structured,
  isError: false,
});

/** Without structured content, which some clients would compare with the schema of results. */
export const toolError = (code: string, message: string, retryAfterSeconds?: number): Fields => {
  const retry =
    retryAfterSeconds === undefined ? '' : ` (retry_after_seconds: ${Math.ceil(retryAfterSeconds)})`;
  return { content: [{ type: 'text', text: `${quoteError(code, message)}${retry}` }], isError: true };
};

/** Tasks are kept at least as long as their videos by default. */
const TASK_TTL = 7 * 24 * 60 * 60 * 1000;

const toStatus = ({ status, error }: Task): string => {
  if (status === 'completed') return 'completed';
  if (status !== 'failed') return 'working';
  return error?.code === 'cancelled' ? 'cancelled' : 'completed';
};

const lastChange = ({ completedAt, failedAt, generatedAt, submittedAt, createdAt }: Task): number =>
  completedAt ?? failedAt ?? generatedAt ?? submittedAt ?? createdAt;

/** A video as a task of the tasks extension. */
export const taskFields = (task: Task, pollSeconds: number): Fields => ({
  taskId: task.id,
  status: toStatus(task),
  statusMessage: `The video is ${task.status}.`,
  createdAt: toTime(task.createdAt),
  lastUpdatedAt: toTime(lastChange(task)),
  ttlMs: TASK_TTL,
  pollIntervalMs: pollSeconds * 1000,
});

/** The result that the call itself would have returned; a failed video is an error of the tool, not of the task. */
export const finishedTask = (task: Task, shown: ToolResult): Fields => {
  if (task.status === 'completed') return { result: toolAnswer(shown) };
  if (task.status !== 'failed' || task.error?.code === 'cancelled') return {};
  const { code = 'internal', message = 'The video failed.' } = task.error ?? {};
  return { result: toolError(code, message) };
};
