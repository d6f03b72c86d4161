import * as z from 'zod/mini';
import { TASK_STATUSES } from '../../videos/domain/task.ts';
import type { ToolName } from '../domain/tools.ts';

/** The results of the tools. Fields that have no value are absent. */

const text = z.string();
const maybe = z.optional(z.string());
const count = z.optional(z.number());

const video = {
  video_id: text,
  status: z.enum(TASK_STATUSES),
  model: text,
  seconds: z.number(),
  size: text,
  progress: z.number(),
  price: maybe,
  currency: maybe,
  error: maybe,
  url: maybe,
  url_expires_at: maybe,
  expires_at: maybe,
  next_step: text,
};

const image = z.object({
  file_id: text,
  width: count,
  height: count,
  mime_type: text,
  bytes: count,
  url: text,
  url_expires_at: text,
  expires_at: maybe,
});

const budget = z.optional(z.object({ used: text, limit: text, left: text, resets_at: text }));
const page = { has_more: z.boolean(), last_id: maybe, next_step: maybe };

export const TOOL_RESULTS = {
  list_models: z.object({ models: z.array(z.looseObject({ id: text, kind: text })), currency: text }),
  estimate_price: z.object({
    price: maybe,
    currency: text,
    key_budget: budget,
    account_budget: budget,
    would_be_refused: maybe,
    next_step: text,
  }),
  create_video: z.object({ ...video, reused: z.optional(z.boolean()), poll_after_seconds: count }),
  get_video: z.object({ ...video, poll_after_seconds: count }),
  list_videos: z.object({
    videos: z.array(z.object({ video_id: text, status: text, model: text, prompt: text, created_at: text })),
    ...page,
  }),
  cancel_video: z.object({ video_id: text, status: z.enum(TASK_STATUSES), next_step: text }),
  generate_image: z.object({
    status: z.enum(['completed', 'in_progress']),
    images: z.array(image),
    errors: z.optional(z.array(text)),
    price: maybe,
    currency: maybe,
    reused: z.optional(z.boolean()),
    idempotency_key: maybe,
    next_step: text,
  }),
  get_image: image,
  list_images: z.object({
    images: z.array(z.object({ file_id: text, size: maybe, prompt: maybe, created_at: text })),
    ...page,
  }),
  create_upload: z.object({
    file_id: text,
    upload_url: text,
    method: text,
    headers: z.record(z.string(), z.string()),
    expires_at: text,
    next_step: text,
  }),
  create_share_link: z.object({ url: text, expires_at: text, share_id: text }),
  get_budget: z.object({ currency: text, key_budget: budget, account_budget: budget, next_step: maybe }),
} satisfies Record<ToolName, z.core.$ZodType>;

export type Result<Name extends ToolName> = z.infer<(typeof TOOL_RESULTS)[Name]>;
