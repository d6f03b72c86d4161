import { pixelSize } from '../../platform/domain/models.ts';
import type { TaskPage } from '../../platform/domain/ports.ts';
import { isTerminal, type Task, type TaskStatus } from '../domain/task.ts';
import type {
  CreatedGenerationObject,
  CreatedVideoObject,
  DeletedVideoObject,
  GenerationObject,
  VideoList,
  VideoObject,
} from './video-schema.ts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Each poll is a paid request: after half a minute, two seconds more go unnoticed. */
const POLL_SECONDS = { first: 3, later: 5 };
const FIRST_MILLISECONDS = 30_000;

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
export const pollHints = (task: Task, now = Date.now()): Record<string, string> => {
  if (isTerminal(task)) return {};
  const wait = now - task.createdAt < FIRST_MILLISECONDS ? POLL_SECONDS.first : POLL_SECONDS.later;
  return { 'openai-poll-after-ms': String(wait * 1000), 'retry-after': String(wait) };
};

export const createdVideoObject = (task: Task): CreatedVideoObject => ({
  ...videoObject(task),
  task_id: task.id,
});

/** A function answers with at most 6 MB; the rest is for what surrounds the list. */
const MAX_LIST_BYTES = 6_000_000;

/** As a function hands it to the gateway, where the body is a string within JSON and so escaped once more. */
const sentBytes = (video: VideoObject): number => Buffer.byteLength(JSON.stringify(JSON.stringify(video)));

/** As many videos as one answer holds, and always the first. */
const fitting = (videos: readonly VideoObject[]): VideoObject[] => {
  let bytes = 0;
  const end = videos.findIndex((video, index) => {
    bytes += sentBytes(video);
    return index > 0 && bytes > MAX_LIST_BYTES;
  });
  return videos.slice(0, end === -1 ? videos.length : end);
};

type Included = Pick<VideoObject, 'request' | 'charge' | 'timeline'>;

export const videoList = (
  { tasks, hasMore, resumeAfter }: TaskPage,
  included: (task: Task) => Included = () => ({}),
): VideoList => {
  const data = fitting(tasks.map((task) => ({ ...videoObject(task), ...included(task) })));
  const isCut = data.length < tasks.length;
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: (isCut ? undefined : resumeAfter) ?? data.at(-1)?.id ?? null,
    has_more: hasMore || isCut,
  };
};

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

export const createdGenerationObject = (task: Task): CreatedGenerationObject => ({
  id: task.id,
  task_id: task.id,
  object: 'video',
  model: task.request.model,
  status: GENERATION_STATUS[task.status],
  created_at: seconds(task.createdAt),
});

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
