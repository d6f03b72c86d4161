import * as z from 'zod/mini';
import {
  ANY_VIDEO_MODEL,
  ASPECT_RATIOS,
  DURATIONS,
  IMAGE_TYPES,
  pixelSize,
  pixelSizes,
  RESOLUTIONS,
  VIDEO_MODELS,
  VIDEO_MODES,
} from '../../catalogue/domain/models.ts';
import { deletion } from '../../platform/api/pages.ts';
import { timestamp } from '../../platform/body/schema.ts';
import { DomainError, invalidField, listed } from '../../platform/domain/errors.ts';
import { TASK_ID } from '../../platform/domain/ids.ts';
import { isKept } from '../../platform/domain/retention.ts';
import { isOneOf } from '../../platform/domain/text.ts';
import { INPUT_ROLES, VIDEO_ERROR_CODES } from '../../upstream/domain/video-generator.ts';
import { DIFFERENCES, findDifferences } from '../domain/delivered-video.ts';
import {
  isTerminal,
  MAX_POSITION,
  QUEUE_REASONS,
  queueReason,
  TASK_STATUSES,
  type Task,
} from '../domain/task.ts';

export const taskIdSchema = z.string().check(z.regex(TASK_ID), z.describe('Identifier of a video task.'));

export const taskErrorSchema = z
  .object({ code: z.enum(VIDEO_ERROR_CODES), message: z.string() })
  .check(z.describe('The reason why a task failed.'));

export const INCLUDES = ['request', 'charge', 'timeline', 'file', 'queue'] as const;
type Include = (typeof INCLUDES)[number];

const optionalTime = z.nullable(z.number().check(z.gte(0)));
const amount = z.nullable(z.string());

const requestSchema = z.object({
  mode: z.enum(VIDEO_MODES),
  seconds: z.literal(DURATIONS),
  resolution: z.enum(RESOLUTIONS),
  aspect_ratio: z.enum(ASPECT_RATIOS),
  negative_prompt: z.nullable(z.string()),
  seed: z.nullable(z.int()),
  inputs: z.array(z.object({ role: z.enum(INPUT_ROLES), mime_type: z.enum(IMAGE_TYPES) })),
  api_key_id: z.string().check(z.describe('The API key or console session that made the request.')),
  user_id: z
    .nullable(z.string())
    .check(z.describe('The person who made the request. Null if the key belongs to the account.')),
});
const chargeSchema = z.object({
  seconds: z.number(),
  unit_price: amount,
  amount,
  currency: z.nullable(z.string()),
});
const timelineSchema = z.object({
  created_at: z.number(),
  submitted_at: optionalTime,
  generated_at: optionalTime,
  completed_at: optionalTime,
  failed_at: optionalTime,
});

const fileSchema = z.object({
  bytes: z.int().check(z.gte(0)),
  width: z.nullable(z.int()).check(z.describe('In pixels. Null if the file does not tell.')),
  height: z.nullable(z.int()),
  seconds: z.nullable(z.number()).check(z.describe('The duration. Null if the file does not tell.')),
  differs: z
    .nullable(z.array(z.enum(DIFFERENCES)))
    .check(
      z.describe(
        'What differs from the request: the size, or the duration by more than half a second. Null if the file tells neither.',
      ),
    ),
});

const queueSchema = z.object({
  reason: z
    .enum(QUEUE_REASONS)
    .check(
      z.describe(
        'starting: it is about to be submitted. account_share: the account uses its share of the workers. upstream_retry: an upstream is busy or asked for a pause. upstream_limit: it waits in line for an upstream with room. workers: it waits in line for the workers.',
      ),
    ),
  position: z
    .nullable(z.int().check(z.gte(1), z.lte(MAX_POSITION)))
    .check(
      z.describe(
        `The position in line, counted for all accounts; ${MAX_POSITION} stands for more, too. Null if the task is not in line, and in lists.`,
      ),
    ),
  retry_at: z
    .nullable(z.number().check(z.gte(0)))
    .check(z.describe('When the next attempt is due. Unix seconds with fractions; null if unknown.')),
});

const includedFields = {
  request: z.optional(requestSchema).check(z.describe('With include[]=request: the resolved options.')),
  charge: z
    .optional(z.nullable(chargeSchema))
    .check(z.describe('With include[]=charge: null until the video is charged.')),
  timeline: z
    .optional(timelineSchema)
    .check(z.describe('With include[]=timeline: Unix seconds with fractions; null until the event occurs.')),
  file: z
    .optional(z.nullable(fileSchema))
    .check(z.describe('With include[]=file: the video as it was delivered; null until it is completed.')),
  queue: z
    .optional(z.nullable(queueSchema))
    .check(z.describe('With include[]=queue: why the task is still queued; null for others.')),
};

const videoFields = {
  id: taskIdSchema,
  object: z.literal('video'),
  model: z.enum(VIDEO_MODELS),
  status: z.enum(TASK_STATUSES),
  progress: z
    .literal([0, 50, 100])
    .check(z.describe('0 when queued, 50 in progress, 100 when completed; a failed task keeps its value.')),
  created_at: timestamp('When the task was accepted.'),
  completed_at: z.optional(timestamp('When the video was completed; absent until then.')),
  expires_at: z.nullable(timestamp('When the stored file expires; null if the video is kept.')),
  kept: z.boolean().check(z.describe('Whether the video is stored until it is released or deleted.')),
  name: z.nullable(z.string()).check(z.describe('The name that a person gave the video.')),
  prompt: z.string(),
  seconds: z
    .enum(DURATIONS.map(String))
    .check(z.describe(`Length of the video: one of ${DURATIONS.join(', ')}.`)),
  size: z.enum([...pixelSizes(ANY_VIDEO_MODEL).keys()]).check(z.describe('Width and height in pixels.')),
  error: z.nullable(taskErrorSchema),
  remixed_from_video_id: z.null(),
  upstream_model: z
    .optional(z.string())
    .check(
      z.describe('The model that made the video, if the operator chose another one in place of `model`.'),
    ),
  ...includedFields,
};

export const videoSchema = z.object(videoFields).check(z.describe('A video task.'));
export const createdVideoSchema = z
  .object({ ...videoFields, task_id: taskIdSchema })
  .check(z.describe('A video task as the create request returns it.'));

export const { schema: deletedVideoSchema, answer: deletedVideoObject } = deletion(
  'video.deleted',
  taskIdSchema,
);

export type VideoObject = z.infer<typeof videoSchema>;

const toWholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const PROGRESS = { queued: 0, in_progress: 50, completed: 100 } as const;

const toProgress = ({ status, submittedAt }: Task): VideoObject['progress'] => {
  if (status !== 'failed') return PROGRESS[status];
  return submittedAt === undefined ? PROGRESS.queued : PROGRESS.in_progress;
};

export const videoObject = (task: Task): VideoObject => ({
  id: task.id,
  object: 'video',
  model: task.request.model,
  status: task.status,
  progress: toProgress(task),
  created_at: toWholeSeconds(task.createdAt),
  ...(task.completedAt === undefined ? {} : { completed_at: toWholeSeconds(task.completedAt) }),
  expires_at: task.expiresAt === undefined || isKept(task) ? null : toWholeSeconds(task.expiresAt),
  kept: isKept(task),
  name: task.name ?? null,
  prompt: task.request.prompt,
  seconds: `${task.request.seconds}` as const,
  size: pixelSize(task.request.resolution, task.request.aspectRatio),
  error: task.error ?? null,
  remixed_from_video_id: null,
  ...(task.upstream?.substitute === undefined ? {} : { upstream_model: task.upstream.substitute }),
});

export const createdVideoObject = (task: Task): z.infer<typeof createdVideoSchema> => ({
  ...videoObject(task),
  task_id: task.id,
});

const toSeconds = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : milliseconds / 1000;

const PARTS = {
  request: ({ request, keyId, personId }: Task): z.infer<typeof requestSchema> => ({
    mode: request.mode,
    seconds: request.seconds,
    resolution: request.resolution,
    aspect_ratio: request.aspectRatio,
    negative_prompt: request.negativePrompt ?? null,
    seed: request.seed ?? null,
    inputs: request.inputs.map(({ role, mimeType }) => ({ role, mime_type: mimeType })),
    api_key_id: keyId,
    user_id: personId ?? null,
  }),
  charge: ({ charge }: Task): z.infer<typeof chargeSchema> | null =>
    charge === undefined
      ? null
      : {
          seconds: charge.seconds,
          unit_price: charge.unitPrice,
          amount: charge.amount,
          currency: charge.currency,
        },
  timeline: (task: Task): z.infer<typeof timelineSchema> => ({
    created_at: task.createdAt / 1000,
    submitted_at: toSeconds(task.submittedAt),
    generated_at: toSeconds(task.generatedAt),
    completed_at: toSeconds(task.completedAt),
    failed_at: toSeconds(task.failedAt),
  }),
  file: ({ file, request }: Task): z.infer<typeof fileSchema> | null => {
    if (file === undefined) return null;
    const { bytes, width = null, height = null, seconds = null } = file;
    return { bytes, width, height, seconds, differs: findDifferences(request, file) ?? null };
  },
} as const;

const RETRIES: readonly unknown[] = ['account_share', 'upstream_retry'];

const toQueue = (task: Task, position: number | undefined): z.infer<typeof queueSchema> | null => {
  const reason = queueReason(task);
  if (reason === undefined) return null;
  return {
    reason,
    position: position ?? null,
    retry_at: RETRIES.includes(reason) ? toSeconds(task.work?.dueAt) : null,
  };
};

/** Whether the position of the task in line is worth a call. */
export const needsPosition = ({ work }: Task, includes: readonly Include[]): boolean =>
  includes.includes('queue') && work?.kind === 'wait';

export const readIncludes = (values: readonly string[]): readonly Include[] =>
  values.map((value) => {
    if (isOneOf(INCLUDES, value)) return value;
    throw invalidField(
      'include',
      `include must be one of ${listed(INCLUDES)}, for example include[]=request.`,
    );
  });

export const includedParts = (task: Task, includes: readonly Include[], position?: number) => ({
  ...(includes.includes('request') ? { request: PARTS.request(task) } : {}),
  ...(includes.includes('charge') ? { charge: PARTS.charge(task) } : {}),
  ...(includes.includes('timeline') ? { timeline: PARTS.timeline(task) } : {}),
  ...(includes.includes('file') ? { file: PARTS.file(task) } : {}),
  ...(includes.includes('queue') ? { queue: toQueue(task, position) } : {}),
});

/** Every poll is a billed request, and after half a minute nobody notices two more seconds. */
export const POLL_SECONDS = { first: 3, later: 5, laterFrom: 30, inLine: 15 } as const;

export const pollSeconds = ({ work, createdAt }: Task, now: number): number => {
  if (work?.kind === 'wait') return POLL_SECONDS.inLine;
  return now - createdAt < POLL_SECONDS.laterFrom * 1000 ? POLL_SECONDS.first : POLL_SECONDS.later;
};

/** Headers that tell polling clients when to ask again; none once the task has ended. */
export const pollHints = (task: Task, now = Date.now()): Record<string, string> => {
  if (isTerminal(task)) return {};
  const wait = pollSeconds(task, now);
  return { 'openai-poll-after-ms': String(wait * 1000), 'retry-after': String(wait) };
};

export const requireVideoVariant = (variant: string | undefined): void => {
  if (variant === undefined || variant === 'video') return;
  throw new DomainError(
    'not_offered',
    'variant must be video: thumbnails and spritesheets are not supported, so take a frame of the video.',
    { param: 'variant' },
  );
};
