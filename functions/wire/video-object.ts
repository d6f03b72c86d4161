import { pixelSize } from '../domain/models.ts';
import type { TaskPage } from '../domain/ports.ts';
import { isTerminal, type Task, type TaskStatus } from '../domain/task.ts';
import type {
  CreatedVideoObject,
  DeletedVideoObject,
  GenerationObject,
  VideoList,
  VideoObject,
} from './schemas/video.ts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const POLL_SECONDS = 3;

const PROGRESS = { queued: 0, in_progress: 50, completed: 100 } as const;

/** A failed task keeps the progress that it had. */
const progressOf = ({ status, submittedAt }: Task): VideoObject['progress'] => {
  if (status !== 'failed') return PROGRESS[status];
  return submittedAt === undefined ? PROGRESS.queued : PROGRESS.in_progress;
};

export const videoObject = (task: Task): VideoObject => ({
  id: task.id,
  object: 'video',
  model: task.request.model,
  status: task.status,
  progress: progressOf(task),
  created_at: seconds(task.createdAt),
  ...(task.completedAt === undefined ? {} : { completed_at: seconds(task.completedAt) }),
  expires_at: task.expiresAt === undefined ? null : seconds(task.expiresAt),
  prompt: task.request.prompt,
  seconds: `${task.request.seconds}` as const,
  size: pixelSize(task.request.resolution, task.request.aspectRatio),
  error: task.error ?? null,
  remixed_from_video_id: null,
});

/** When to look again, as polling clients understand it: nothing once the task has ended. */
export const pollHints = (task: Task): Record<string, string> =>
  isTerminal(task)
    ? {}
    : { 'openai-poll-after-ms': String(POLL_SECONDS * 1000), 'retry-after': String(POLL_SECONDS) };

export const createdVideoObject = (task: Task): CreatedVideoObject => ({
  ...videoObject(task),
  task_id: task.id,
});

export const videoList = ({ tasks, hasMore }: TaskPage): VideoList => ({
  object: 'list',
  data: tasks.map(videoObject),
  first_id: tasks.at(0)?.id ?? null,
  last_id: tasks.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const deletedVideoObject = (id: string): DeletedVideoObject => ({
  id,
  object: 'video.deleted',
  deleted: true,
});

const GENERATION_STATUS = {
  queued: 'queued',
  in_progress: 'processing',
  completed: 'succeeded',
  failed: 'failed',
} as const satisfies Record<TaskStatus, string>;

export const generationObject = (task: Task, baseUrl: string): GenerationObject => ({
  code: 'success',
  message: '',
  data: {
    status: GENERATION_STATUS[task.status],
    task_id: task.id,
    format: 'mp4',
    url: `${baseUrl}/v1/videos/${task.id}/content`,
    error: task.error ?? null,
    metadata: null,
  },
});
